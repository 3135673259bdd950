#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace epsilens::ui {

/// Menus of the window and the actions in them. They carry text, keys and explanations; the window
/// connects them.
struct WindowActions {
    QAction* open = nullptr;
    QAction* openSample = nullptr;
    QAction* openPoincareSample = nullptr;
    QMenu* recent = nullptr;
    QAction* saveSession = nullptr;
    QAction* saveSessionAs = nullptr;
    QAction* exportReport = nullptr;
    QAction* quit = nullptr;

    QAction* focusEpsilon = nullptr;
    QAction* focusLambda = nullptr;
    QAction* focusSentence = nullptr;

    QMenu* view = nullptr;
    QAction* nextPane = nullptr;
    QAction* tabsEnd = nullptr;      ///< actions of tabs are inserted before it
    QActionGroup* themes = nullptr;  ///< data of each action: its ThemeChoice as int

    QAction* run = nullptr;
    QAction* sample = nullptr;
    QAction* perturb = nullptr;
    QAction* cancel = nullptr;

    QAction* about = nullptr;

    /// Fills the menu bar of the window; the actions belong to it.
    static WindowActions build(QMainWindow& window);
};

}  // namespace epsilens::ui
