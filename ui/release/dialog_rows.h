#pragma once

#include <QString>

class QDialog;
class QFormLayout;
class QHBoxLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QWidget;

namespace epsilens::ui {

/// Lets a label wrap its text, which can be selected.
QLabel* wrapped(QLabel* label, const char* objectName);

/// A row of a field for a path and the button beside it.
[[nodiscard]] QHBoxLayout* pathRow(QLineEdit* field, QPushButton* button);

/// Adds a row whose label has a key that leads to the control: a form gives the label of a whole
/// row no control by itself.
void addRow(QFormLayout& form, const QString& text, QWidget* control, QLayout* row);

/// Makes a dialog at least as high as its content, as far as the screen goes. The height that
/// wrapped texts take depends on the width, which a dialog does not see to.
///
/// leastWidth  of the dialog, in pixels
void growToContent(QDialog& dialog, int leastWidth);

}  // namespace epsilens::ui
