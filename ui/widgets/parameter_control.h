#pragma once

#include <array>

#include <QString>
#include <QWidget>

#include "ui/widgets/number_field.h"
#include "ui/widgets/value_scale.h"

class QLabel;

namespace epsilens::ui {

class ValueSlider;

/// What a ParameterControl is for.
struct ParameterSpec {
    QString id;              ///< stem of object names: "epsilon" gives epsilonSlider, epsilonField
    QString label;           ///< a & in it makes a mnemonic of the letter after it
    QString accessibleName;  ///< "Epsilon"
    QString tooltip;         ///< also the accessible description
    QString unit;            ///< spoken after the value: "per unit of distance"; may be empty
    ValueScale scale;
    NumberField::Limits typed;  ///< what may be typed; may be wider than the slider
};

/// A number with a name on one line: label, slider and typed field; below it the reason when typed
/// text is refused. Why the control is out of use is said by its tooltip.
class ParameterControl : public QWidget {
    Q_OBJECT

public:
    explicit ParameterControl(const ParameterSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] double value() const;
    /// Shows a value; emits nothing.
    void setValue(double value);
    /// Ends of the slider.
    void setSliderRange(double low, double high);
    void setScale(const ValueScale& scale);
    void setTypedLimits(double low, double high);
    /// Disables the control and says why; an empty reason enables it.
    void setUnavailable(const QString& reason);
    /// A remark of the tooltip while the control is in use; empty removes it.
    void setNote(const QString& note);
    /// Takes the focus to the typed field with its text selected.
    void focusField();

Q_SIGNALS:
    /// The user chose another value, by slider or typing.
    void valueChanged(double value);

private:
    [[nodiscard]] std::array<QWidget*, 3> parts() const;
    void showHint();
    void takeOver(double value);

    ParameterSpec m_spec;
    QLabel* m_label;
    ValueSlider* m_slider;
    NumberField* m_field;
    QLabel* m_hint;
    QString m_unavailable;
    QString m_note;
};

}  // namespace epsilens::ui
