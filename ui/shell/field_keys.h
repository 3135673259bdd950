#pragma once

#include <functional>

#include <QObject>

class QAction;
class QKeyEvent;
class QWidget;

namespace epsilens::ui {

/// Takes over what is still being typed in a field of a window, as Return in the field does.
void commitTyping(const QWidget& window);

/// Lets an action carry out a command that goes by the settings of a window: what is being typed is
/// taken over first. While a field in sight does not take it, the field says why and has the focus,
/// and nothing is carried out.
void connectCommand(const QAction& action, QWidget& window, std::function<void()> command);

/// Keys between a window and the fields in it. Buttons that are pressed by their letter leave the
/// focus in the field with the typing, which is taken over first. A field gets Undo and Redo while
/// it has something to take back, and no other key that is a shortcut of the window. Return presses
/// the button that has the focus, as Space does. Escape in an open list, or in a pane such as the
/// details, only closes it. F1 in a dialog, which the actions of the window do not reach, opens the
/// help, and so does a click that asks what a control is.
class FieldKeys : public QObject {
    Q_OBJECT

public:
    /// window  must outlive this
    explicit FieldKeys(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isForTheWindow(const QWidget& field, const QKeyEvent& key) const;

    QWidget& m_window;
};

}  // namespace epsilens::ui
