#pragma once

#include <functional>

class QAbstractItemView;
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

/// Says in tooltip and description what a control is for, and before that why it is off, if it is.
///
/// reason  empty: it is not
void describeOffer(QWidget& control, const QString& description, const QString& reason);

/// Lets the description of a table say how much it shows now.
///
/// table     has its model, which stays
/// sentence  of a number of rows
void describeRows(QAbstractItemView& table, const std::function<QString(int rows)>& sentence);

/// Puts a label and the control it names behind the row. Returns the label.
QLabel* addLabelled(QHBoxLayout& row, const QString& text, QWidget* control, int stretch = 0);

}  // namespace epsilens::ui
