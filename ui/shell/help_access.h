#pragma once

#include <QString>

class QEvent;
class QWidget;

namespace epsilens::ui {

class HelpWindow;

/// The ways into the help of a window: topics, and links in explanations of controls.
class HelpAccess {
public:
    /// window  owns the help window, and must outlive this
    explicit HelpAccess(QWidget& window) : m_window(window) {}

    /// Brings the help to the front at a topic.
    void show(const QString& topic);
    /// The topic of the control that has the focus.
    void showForFocus();
    /// Follows a link in an explanation; false for other events.
    bool followLink(QEvent& event);

private:
    QWidget& m_window;
    HelpWindow* m_help = nullptr;  ///< made when first asked for
};

}  // namespace epsilens::ui
