#pragma once

class QHBoxLayout;
class QLabel;
class QString;
class QWidget;

namespace epsilens::ui {

/// Gives a control what tests, assistive technology and the pointer know it by; the description is
/// its tooltip, too.
void describe(QWidget& control, const char* objectName, const QString& name,
              const QString& description);

/// The same around a new control.
template <typename Control>
Control* described(Control* control, const char* objectName, const QString& name,
                   const QString& description) {
    describe(*control, objectName, name, description);
    return control;
}

/// Puts a label and the control it names behind the row. Returns the label.
QLabel* addLabelled(QHBoxLayout& row, const QString& text, QWidget* control, int stretch = 0);

}  // namespace epsilens::ui
