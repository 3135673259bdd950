#pragma once

#include <functional>

class QAbstractButton;
class QAbstractItemView;
class QEvent;
class QHBoxLayout;
class QLabel;
class QMenu;
class QObject;
class QSplitter;
class QString;
class QWidget;

namespace epsilens::ui {

void describe(QWidget& control, const char* objectName, const QString& name,
              const QString& description);

template <typename Control>
Control* described(Control* control, const char* objectName, const QString& name,
                   const QString& description) {
    describe(*control, objectName, name, description);
    return control;
}

/// Says in tooltip and description what a control is for, and before that why it is off, if so.
void describeOffer(QWidget& control, const QString& description, const QString& reason);

/// Lets the description of a table, which has its model, say how much it shows now.
void describeRows(QAbstractItemView& table, const std::function<QString(int rows)>& sentence);

QLabel* addLabelled(QHBoxLayout& row, const QString& text, QWidget* control, int stretch = 0);

/// Lets `handle` have the events of an object first, while `owner` lives; true: nobody else gets
/// it.
void filterEvents(QObject* watched, QObject* owner,
                  std::function<bool(QObject* watched, QEvent& event)> handle);

inline constexpr const char* kShowsFocus = "showsFocus";

/// Frames whatever has the focus in any window and shows it in no other way.
void frameFocus();

/// Keeps the mouse wheel from changing a control that does not have the focus; the event goes on to
/// whatever scrolls around it.
void guardWheel(QWidget* widget);

/// name  of the dividers for assistive technology
void moveWithKeys(QSplitter& splitter, const QString& name);

/// Opens a menu below a button. As its own menu it would bring a second arrow.
void openFrom(QAbstractButton& button, QMenu& menu);

/// Takes files dropped anywhere on a window, its fields included.
void takeDrops(QWidget& window, std::function<void(const QString& path, QWidget* target)> take);

}  // namespace epsilens::ui
