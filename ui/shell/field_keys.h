#pragma once

#include <functional>

class QAction;
class QWidget;

namespace epsilens::ui {

/// Takes over what is still being typed in a field of a window, as Return in the field does.
void commitTyping(const QWidget& window);

/// Lets an action carry out a command that goes by the settings: what is being typed is taken over
/// first. A field in sight that does not take it has the focus instead, and nothing is done.
void connectCommand(const QAction& action, QWidget& window, std::function<void()> command);

/// Keys between a window and its fields. Buttons pressed by their letter take over the typing
/// first. A field gets Undo and Redo while it has something to take back, and no other shortcut of
/// the window. Return presses the button in focus. Escape in an open list, or in a pane, only
/// closes it. F1 in a dialog, and a click that asks what a control is, open the help.
void routeKeys(QWidget& window);

}  // namespace epsilens::ui
