#pragma once

#include <QSpinBox>
#include <QString>

namespace epsilens::ui {

/// A spin box in the C locale that reads no text as another number than the one written: what is no
/// whole number of its range stays in sight while it is typed, and is refused when it is left.
class WholeNumberBox : public QSpinBox {
    Q_OBJECT

public:
    explicit WholeNumberBox(QWidget* parent = nullptr);

Q_SIGNALS:
    /// The typed text was given up for the value before; the reason names the control by its
    /// accessible name.
    void refused(const QString& reason) const;

protected:
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
};

}  // namespace epsilens::ui
