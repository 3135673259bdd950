#pragma once

class QLineEdit;
class QString;
class QWidget;

namespace epsilens::ui {

/// Remembers with a field why it does not take what was typed in it, for the commands that would
/// go on with another value than the field shows; empty: it takes it.
void setFieldProblem(QLineEdit& field, const QString& problem);

/// A field of a part that does not take what was typed in it, the one with the focus before others;
/// null if there is none. Fields that are hidden within the part, or disabled, do not count.
[[nodiscard]] QLineEdit* fieldWithProblem(const QWidget& part);

/// Gives a field the focus and scrolls it into view.
void showField(QWidget& field);

}  // namespace epsilens::ui
