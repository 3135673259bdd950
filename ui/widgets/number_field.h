#pragma once

#include <QLineEdit>
#include <QString>

#include "core/base/error.h"

class QLabel;

namespace epsilens::ui {

/// Remembers with a field why it does not take what was typed, for commands that would go on with
/// another value than it shows; empty: it takes it.
void setFieldProblem(QLineEdit& field, const QString& problem);
[[nodiscard]] QString fieldProblem(const QLineEdit& field);

/// A text field for one number in the C locale, taken over on Return or when the focus leaves. Text
/// that is no allowed number stays visible, marked, with the reason; Escape brings the value back.
class NumberField : public QLineEdit {
    Q_OBJECT

public:
    struct Limits {
        double low = 0.0;
        double high = 0.0;
        bool lowExcluded = false;  ///< the value must be greater than low
        bool whole = false;
        QString name{};           ///< in messages: "epsilon"
        bool mayBeEmpty = false;  ///< its value is NaN then
    };

    explicit NumberField(const Limits& limits, QWidget* parent = nullptr);

    void setLimits(const Limits& limits) { m_limits = limits; }
    [[nodiscard]] double value() const { return m_value; }
    void setValue(double value);
    [[nodiscard]] QString problem() const { return fieldProblem(*this); }
    void commit();

Q_SIGNALS:
    void valueEdited(double value);
    /// The text was refused (or, when empty, is in order again).
    void problemChanged(const QString& problem);
    void stepRequested(int steps);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] Result<double> parsed() const;
    [[nodiscard]] bool isAllowed(double number) const;
    [[nodiscard]] QString rangeText() const;
    void setProblem(const QString& problem);

    Limits m_limits;
    double m_value = 0.0;
};

void showProblem(QLabel& where, const QString& problem);

/// A field of a part, not hidden or disabled in it, that does not take what was typed, the one with
/// the focus first; null without one.
[[nodiscard]] QLineEdit* fieldWithProblem(const QWidget& part);

void showField(QWidget& field);

}  // namespace epsilens::ui
