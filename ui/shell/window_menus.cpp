// The menus of the window.

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>
#include <QWhatsThis>

#include "ui/dial/dial_panel.h"
#include "ui/help/help_window.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/state/mechanism_view.h"

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
    m_commands.push_back(action);
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
             [this] { open(EmbeddingLoader::poincareSampleName()); }),
         menu.addMenu(m_recent)});
    m_setting->offer(*others);
    menu.addSeparator();
    m_commands.push_back(add(menu, "saveSessionAction", tr("&Save session"), Qt::CTRL | Qt::Key_S,
                             [this] { m_session->save(); }));
    m_commands.push_back(add(menu, "saveSessionAsAction", tr("Save session &as…"),
                             Qt::CTRL | Qt::SHIFT | Qt::Key_S, [this] { m_session->saveAs(); }));
    addCommand(menu, "exportReportAction", tr("&Export report…"), Qt::CTRL | Qt::Key_E,
               [this] { execute(PanelCommand::exportReport); });
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
    QAction* undo = m_history.stack().createUndoAction(this, tr("&Undo"));
    undo->setObjectName(QStringLiteral("undoAction"));
    undo->setShortcut(Qt::CTRL | Qt::Key_Z);
    QAction* redo = m_history.stack().createRedoAction(this, tr("&Redo"));
    redo->setObjectName(QStringLiteral("redoAction"));
    redo->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
    menu.addActions({undo, redo});
    menu.addSeparator();
    addCommand(menu, "copyCommandAction", tr("&Copy as command line"),
               Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] { copyCommand(); });
    menu.addSeparator();
    // These only lead somewhere, by no setting.
    m_commands.push_back(add(menu, "findWordAction", tr("&Find a word"), Qt::CTRL | Qt::Key_F,
                             [this] { execute(PanelCommand::findWord); }));
    m_commands.push_back(add(menu, "focusSentenceAction", tr("Edit the &sentence"),
                             Qt::CTRL | Qt::Key_L,
                             [this] { execute(PanelCommand::focusSentence); }));
    add(menu, "focusEpsilonAction", tr("Change &epsilon"), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
        [this] { m_dial->focusEpsilon(); });
    add(menu, "focusLambdaAction", tr("Change &lambda"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, [this] {
        // Not every mechanism has one to change.
        if (m_state.mechanism().hasLambda()) {
            m_setting->focusLambda();
        } else {
            m_dial->focusEpsilon();
        }
    });
}

void MainWindow::buildViewMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&View"));
    menu.addAction(m_details->toggleViewAction());
    add(menu, "logAction", tr("&Log"), {}, [this] { m_log->show(); });
    menu.addSeparator();
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        add(menu, "", m_tabs->tabText(tab), Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + tab),
            [this, tab] { showTab(tab); });
    }
    menu.addSeparator();
    add(menu, "nextPaneAction", tr("&Next pane"), Qt::Key_F6, [this] { focusNextPane(); });
    m_commands.push_back(add(menu, "presentAction", tr("Pr&esentation"), Qt::Key_F11,
                             [this] { presentFullScreen(); }));
    menu.addSeparator();
    addCommand(menu, "pinAction", tr("&Pin settings for comparison"), Qt::CTRL | Qt::Key_D, [this] {
        m_state.edit(&AnalysisSettings::pinPresent);
        showMessage(tr("Pinned: %1. Change a setting to compare.").arg(pinTitle(*m_state.pin())));
    });
    QAction* unpin = add(menu, "unpinAction", tr("&Unpin"), {},
                         [this] { m_state.edit(&AnalysisSettings::pin, std::nullopt); });
    unpin->setEnabled(false);
    m_state.onChange(&AnalysisSettings::pin, unpin,
                     [this, unpin] { unpin->setEnabled(m_state.pin().has_value()); });
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
    addCommand(menu, "runAction", tr("&Measure"), Qt::Key_F5,
               [this] { execute(PanelCommand::run); });
    addCommand(menu, "sampleAction", tr("&Sample again"), Qt::CTRL | Qt::Key_Return,
               [this] { execute(PanelCommand::sample); });
    menu.addSeparator();
    m_releaseAction =
        addCommand(menu, "releaseAction", tr("&Release text…"), {}, [this] { showRelease(); });
    menu.addSeparator();
    QAction* cancel = add(menu, "cancelAction", tr("C&ancel"), Qt::Key_Escape,
                          [this] { m_status->askToCancel(); });
    cancel->setEnabled(false);
    connect(&m_jobs, &JobBoard::changed, cancel,
            [this, cancel] { cancel->setEnabled(m_jobs.runningCount() > 0); });
}

void MainWindow::buildHelpMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&Help"));
    add(menu, "helpAction", tr("&Help"), Qt::Key_F1,
        [this] { showHelp(*this, helpTopicOf(focusWidget())); });
    QAction* whatsThis = QWhatsThis::createAction(this);
    whatsThis->setObjectName(QStringLiteral("whatsThisAction"));
    menu.addAction(whatsThis);
    menu.addSeparator();
    add(menu, "aboutAction", tr("&About Epsilens"), {}, [this] {
        AboutDialog(this).exec();
    })->setMenuRole(QAction::AboutRole);
}

}  // namespace epsilens::ui
