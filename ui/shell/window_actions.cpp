#include "ui/shell/window_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>
#include <QWhatsThis>

#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WindowActions", text);
}

QAction* add(QMenu& menu, const char* name, const QString& text, const QKeySequence& keys = {}) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    return action;
}

void buildFile(QMainWindow& window, WindowActions& actions) {
    QMenu& menu = *window.menuBar()->addMenu(tr("&File"));
    actions.open = add(menu, "openAction", tr("&Open…"), Qt::CTRL | Qt::Key_O);
    actions.openSample = add(menu, "openSampleAction", tr("Open the &built-in sample"));
    actions.openPoincareSample =
        add(menu, "openPoincareSampleAction", tr("Open the built-&in Poincaré sample"));
    actions.recent = menu.addMenu(tr("Open &recent"));
    actions.recent->setObjectName(QStringLiteral("recentMenu"));
    menu.addSeparator();
    actions.saveSession = add(menu, "saveSessionAction", tr("&Save session"), Qt::CTRL | Qt::Key_S);
    actions.saveSessionAs =
        add(menu, "saveSessionAsAction", tr("Save session &as…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S);
    actions.exportReport =
        add(menu, "exportReportAction", tr("&Export report…"), Qt::CTRL | Qt::Key_E);
    menu.addSeparator();
    actions.preferences =
        add(menu, "preferencesAction", tr("&Preferences…"), Qt::CTRL | Qt::Key_Comma);
    actions.preferences->setMenuRole(QAction::PreferencesRole);
    actions.quit = add(menu, "quitAction", tr("&Quit"), Qt::CTRL | Qt::Key_Q);
    actions.quit->setMenuRole(QAction::QuitRole);
}

void buildEdit(QMainWindow& window, QUndoStack& history, WindowActions& actions) {
    QMenu& menu = *window.menuBar()->addMenu(tr("&Edit"));
    actions.undo = history.createUndoAction(&window, tr("&Undo"));
    actions.undo->setObjectName(QStringLiteral("undoAction"));
    actions.undo->setShortcut(Qt::CTRL | Qt::Key_Z);
    actions.redo = history.createRedoAction(&window, tr("&Redo"));
    actions.redo->setObjectName(QStringLiteral("redoAction"));
    actions.redo->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
    menu.addActions({actions.undo, actions.redo});
    menu.addSeparator();
    actions.copyCommand = add(menu, "copyCommandAction", tr("&Copy as command line"),
                              Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    menu.addSeparator();
    actions.findWord = add(menu, "findWordAction", tr("&Find a word"), Qt::CTRL | Qt::Key_F);
    actions.focusSentence =
        add(menu, "focusSentenceAction", tr("Edit the &sentence"), Qt::CTRL | Qt::Key_L);
    actions.focusEpsilon =
        add(menu, "focusEpsilonAction", tr("Change &epsilon"), Qt::CTRL | Qt::SHIFT | Qt::Key_E);
    actions.focusLambda =
        add(menu, "focusLambdaAction", tr("Change &lambda"), Qt::CTRL | Qt::SHIFT | Qt::Key_L);
}

void buildView(QMainWindow& window, WindowActions& actions) {
    QMenu& menu = *window.menuBar()->addMenu(tr("&View"));
    actions.view = &menu;
    actions.tabsEnd = menu.addSeparator();
    actions.nextPane = add(menu, "nextPaneAction", tr("&Next pane"), Qt::Key_F6);
    actions.present = add(menu, "presentAction", tr("Pr&esentation"), Qt::Key_F11);
    menu.addSeparator();
    actions.pin = add(menu, "pinAction", tr("&Pin settings for comparison"), Qt::CTRL | Qt::Key_D);
    actions.unpin = add(menu, "unpinAction", tr("&Unpin"));
    menu.addSeparator();
    QMenu* themes = menu.addMenu(tr("&Theme"));
    actions.themes = new QActionGroup(&window);
    const auto addTheme = [&](const char* name, const QString& text, ThemeChoice choice) {
        QAction* action = add(*themes, name, text);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        actions.themes->addAction(action);
    };
    addTheme("systemThemeAction", tr("&System"), ThemeChoice::system);
    addTheme("lightThemeAction", tr("&Light"), ThemeChoice::light);
    addTheme("darkThemeAction", tr("&Dark"), ThemeChoice::dark);
    menu.addSeparator();
    actions.largerText = add(menu, "largerTextAction", tr("La&rger text"));
    // With and without Shift, since the plus is on the upper row of many keyboards.
    actions.largerText->setShortcuts({Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal});
    actions.smallerText =
        add(menu, "smallerTextAction", tr("S&maller text"), Qt::CTRL | Qt::Key_Minus);
    actions.usualText = add(menu, "usualTextAction", tr("Normal te&xt size"), Qt::CTRL | Qt::Key_0);
}

void buildRun(QMainWindow& window, WindowActions& actions) {
    QMenu& menu = *window.menuBar()->addMenu(tr("&Run"));
    actions.run = add(menu, "runAction", tr("&Measure"), Qt::Key_F5);
    actions.sample = add(menu, "sampleAction", tr("&Sample again"), Qt::CTRL | Qt::Key_Return);
    menu.addSeparator();
    actions.release = add(menu, "releaseAction", tr("&Release text…"));
    menu.addSeparator();
    actions.cancel = add(menu, "cancelAction", tr("C&ancel"), Qt::Key_Escape);
    actions.cancel->setEnabled(false);
}

void buildHelp(QMainWindow& window, WindowActions& actions) {
    QMenu& menu = *window.menuBar()->addMenu(tr("&Help"));
    actions.help = add(menu, "helpAction", tr("&Help"), Qt::Key_F1);
    QAction* whatsThis = QWhatsThis::createAction(&window);
    whatsThis->setObjectName(QStringLiteral("whatsThisAction"));
    menu.addAction(whatsThis);
    menu.addSeparator();
    actions.about = add(menu, "aboutAction", tr("&About Epsilens"));
    actions.about->setMenuRole(QAction::AboutRole);
}

}  // namespace

WindowActions WindowActions::build(QMainWindow& window, QUndoStack& history) {
    WindowActions actions;
    buildFile(window, actions);
    buildEdit(window, history, actions);
    buildView(window, actions);
    buildRun(window, actions);
    buildHelp(window, actions);
    return actions;
}

}  // namespace epsilens::ui
