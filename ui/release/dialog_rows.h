#pragma once

#include <QString>

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

}  // namespace epsilens::ui
