// The menus of the window.

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QWhatsThis>

#include "ui/shell/about_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

QAction* MainWindow::add(QMenu& menu, const char* name, const QString& text,
                         const QKeySequence& keys, const std::function<void()>& run) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    if (run) {
        connect(action, &QAction::triggered, this, run);
    }
    return action;
}

QAction* MainWindow::addCommand(QMenu& menu, const char* name, const QString& text,
                                const QKeySequence& keys, const std::function<void()>& run) {
    QAction* action = add(menu, name, text, keys, {});
    connectCommand(*action, *this, run);
    return action;
}

QAction* MainWindow::addCommand(QMenu& menu, const char* name, const QString& text,
                                const QKeySequence& keys, PanelCommand command) {
    const auto run = [this, command] { execute(command); };
    // Those that only lead somewhere go by no setting.
    const bool leads = command == PanelCommand::findWord || command == PanelCommand::focusSentence;
    QAction* action =
        leads ? add(menu, name, text, keys, run) : addCommand(menu, name, text, keys, run);
    m_commands.emplace_back(action, command);
    return action;
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildRunMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&File"));
    auto* others = new QMenu(this);
    others->setObjectName(QStringLiteral("embeddingMenu"));
    others->addActions(
        {add(menu, "openAction", tr("&Open…"), Qt::CTRL | Qt::Key_O, [this] { chooseFile(); }),
         add(menu, "openSampleAction", tr("Open the &built-in sample"), {},
             [this] { open(EmbeddingLoader::sampleName()); }),
         add(menu, "openPoincareSampleAction", tr("Open the built-&in Poincaré sample"), {},
             [this] { open(EmbeddingLoader::poincareSampleName()); })});
    QMenu* recent = menu.addMenu(tr("Open &recent"));
    recent->setObjectName(QStringLiteral("recentMenu"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
    others->addAction(recent->menuAction());
    m_setting->offer(*others);
    menu.addSeparator();
    m_actions.saveSession =
        add(menu, "saveSessionAction", tr("&Save session"), Qt::CTRL | Qt::Key_S, {});
    m_actions.saveSessionAs = add(menu, "saveSessionAsAction", tr("Save session &as…"),
                                  Qt::CTRL | Qt::SHIFT | Qt::Key_S, {});
    addCommand(menu, "exportReportAction", tr("&Export report…"), Qt::CTRL | Qt::Key_E,
               PanelCommand::exportReport);
    menu.addSeparator();
    add(menu, "preferencesAction", tr("&Preferences…"), Qt::CTRL | Qt::Key_Comma, [this] {
        showPreferences();
    })->setMenuRole(QAction::PreferencesRole);
    add(menu, "quitAction", tr("&Quit"), Qt::CTRL | Qt::Key_Q, [this] {
        close();
    })->setMenuRole(QAction::QuitRole);
}

void MainWindow::buildEditMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&Edit"));
    m_actions.undo = m_history.stack().createUndoAction(this, tr("&Undo"));
    m_actions.undo->setObjectName(QStringLiteral("undoAction"));
    m_actions.undo->setShortcut(Qt::CTRL | Qt::Key_Z);
    m_actions.redo = m_history.stack().createRedoAction(this, tr("&Redo"));
    m_actions.redo->setObjectName(QStringLiteral("redoAction"));
    m_actions.redo->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
    menu.addActions({m_actions.undo, m_actions.redo});
    menu.addSeparator();
    addCommand(menu, "copyCommandAction", tr("&Copy as command line"),
               Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] { copyCommand(); });
    menu.addSeparator();
    addCommand(menu, "findWordAction", tr("&Find a word"), Qt::CTRL | Qt::Key_F,
               PanelCommand::findWord);
    m_actions.focusSentence = addCommand(menu, "focusSentenceAction", tr("Edit the &sentence"),
                                         Qt::CTRL | Qt::Key_L, PanelCommand::focusSentence);
    m_actions.focusEpsilon = add(menu, "focusEpsilonAction", tr("Change &epsilon"),
                                 Qt::CTRL | Qt::SHIFT | Qt::Key_E, {});
    add(menu, "focusLambdaAction", tr("Change &lambda"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, [this] {
        // Not every mechanism has one to change.
        if (m_state.mechanism().hasLambda()) {
            m_setting->focusLambda();
        } else {
            m_actions.focusEpsilon->trigger();
        }
    });
}

void MainWindow::buildViewMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&View"));
    m_actions.view = &menu;
    menu.addAction(m_setupDock->toggleViewAction());
    add(menu, "logAction", tr("&Log"), {}, [this] { m_logDialog->show(); });
    menu.addSeparator();
    m_actions.tabsEnd = menu.addSeparator();
    add(menu, "nextPaneAction", tr("&Next pane"), Qt::Key_F6, [this] { focusNextPane(); });
    m_actions.present = add(menu, "presentAction", tr("Pr&esentation"), Qt::Key_F11, {});
    menu.addSeparator();
    m_actions.pin =
        add(menu, "pinAction", tr("&Pin settings for comparison"), Qt::CTRL | Qt::Key_D, {});
    m_actions.unpin = add(menu, "unpinAction", tr("&Unpin"), {}, {});
    menu.addSeparator();
    QMenu* themes = menu.addMenu(tr("&Theme"));
    m_actions.themes = new QActionGroup(this);
    for (const auto& [name, text, choice] :
         {std::tuple{"systemThemeAction", tr("&System"), ThemeChoice::system},
          std::tuple{"lightThemeAction", tr("&Light"), ThemeChoice::light},
          std::tuple{"darkThemeAction", tr("&Dark"), ThemeChoice::dark}}) {
        QAction* action = add(*themes, name, text, {}, [choice = choice] { changeTheme(choice); });
        action->setCheckable(true);
        m_actions.themes->addAction(action);
    }
    menu.addSeparator();
    const auto step = [this](int steps) {
        changeTextSize(Preferences::load().textPercent + steps * Preferences::kTextStep);
    };
    // With and without Shift, since the plus is on the upper row of many keyboards.
    add(menu, "largerTextAction", tr("La&rger text"), {}, [step] {
        step(1);
    })->setShortcuts({Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal});
    add(menu, "smallerTextAction", tr("S&maller text"), Qt::CTRL | Qt::Key_Minus,
        [step] { step(-1); });
    add(menu, "usualTextAction", tr("Normal te&xt size"), Qt::CTRL | Qt::Key_0,
        [this] { changeTextSize(Preferences().textPercent); });
}

void MainWindow::buildRunMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&Run"));
    addCommand(menu, "runAction", tr("&Measure"), Qt::Key_F5, PanelCommand::run);
    addCommand(menu, "sampleAction", tr("&Sample again"), Qt::CTRL | Qt::Key_Return,
               PanelCommand::sample);
    menu.addSeparator();
    m_actions.release =
        addCommand(menu, "releaseAction", tr("&Release text…"), {}, [this] { showRelease(); });
    menu.addSeparator();
    m_actions.cancel = add(menu, "cancelAction", tr("C&ancel"), Qt::Key_Escape,
                           [this] { m_status->askToCancel(); });
    m_actions.cancel->setEnabled(false);
    connect(&m_jobs, &JobBoard::changed, this,
            [this] { m_actions.cancel->setEnabled(m_jobs.runningCount() > 0); });
}

void MainWindow::buildHelpMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&Help"));
    m_actions.help =
        add(menu, "helpAction", tr("&Help"), Qt::Key_F1, [this] { m_help.showForFocus(); });
    QAction* whatsThis = QWhatsThis::createAction(this);
    whatsThis->setObjectName(QStringLiteral("whatsThisAction"));
    menu.addAction(whatsThis);
    menu.addSeparator();
    add(menu, "aboutAction", tr("&About Epsilens"), {}, [this] {
        AboutDialog(this).exec();
    })->setMenuRole(QAction::AboutRole);
}

}  // namespace epsilens::ui
