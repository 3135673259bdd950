#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QUndoStack;

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
    QAction* preferences = nullptr;
    QAction* quit = nullptr;

    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QAction* copyCommand = nullptr;
    QAction* focusEpsilon = nullptr;
    QAction* focusLambda = nullptr;
    QAction* focusSentence = nullptr;
    QAction* findWord = nullptr;

    QMenu* view = nullptr;
    QAction* nextPane = nullptr;
    QAction* present = nullptr;
    QAction* pin = nullptr;
    QAction* unpin = nullptr;
    QAction* tabsEnd = nullptr;      ///< actions of tabs are inserted before it
    QActionGroup* themes = nullptr;  ///< data of each action: its ThemeChoice as int
    QAction* largerText = nullptr;
    QAction* smallerText = nullptr;
    QAction* usualText = nullptr;

    QAction* run = nullptr;
    QAction* sample = nullptr;
    QAction* release = nullptr;
    QAction* cancel = nullptr;

    QAction* help = nullptr;
    QAction* about = nullptr;

    /// Fills the menu bar of the window; the actions belong to it.
    ///
    /// history  its undo and redo get into the Edit menu
    static WindowActions build(QMainWindow& window, QUndoStack& history);
};

}  // namespace epsilens::ui
