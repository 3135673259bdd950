#include "ui/shell/main_window.h"

#include <algorithm>
#include <array>
#include <memory>

#include <QtWidgets>

#include "core/calibration/run.h"
#include "core/report/repeat_command.h"
#include "ui/choose/choose_panel.h"
#include "ui/curves/curves_panel.h"
#include "ui/dial/dial_panel.h"
#include "ui/help/help_window.h"
#include "ui/mechanisms/mechanisms_page.h"
#include "ui/release/release_dialog.h"
#include "ui/report/report_panel.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/field_keys.h"
#include "ui/shell/preferences.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/mechanism_view.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr QSize kLeastSize{960, 600};
constexpr QSize kFirstSize{1200, 800};
constexpr int kSpace = 5;  ///< its tab
constexpr int kWords = 6;
constexpr int kLayoutVersion = 4;  ///< of the remembered arrangement; others are ignored
constexpr QLatin1String kGeometry{"window/geometry"};
constexpr QLatin1String kLayout{"window/layout"};
constexpr QLatin1String kTab{"window/tab"};

QString keyOf(const CollapsibleSection& section) {
    return QStringLiteral("window/open/") + section.objectName();
}

/// What has to be done before a command with words of a list runs; empty for nothing.
QString remarkOn(const std::optional<calibration::SelectionDescription>& selection) {
    if (!selection) {
        return MainWindow::tr(
            "The words were chosen one by one: put them into words.txt, one per line.");
    }
    const bool isList = selection->words.starts_with('@');
    const std::string file = isList ? selection->words.substr(1) : selection->dataFile;
    return file.empty() ? QString()
                        : MainWindow::tr("Run it in the folder of %1.").arg(toQString(file));
}

}  // namespace

MainWindow::MainWindow(const LoadFunctions& functions)
    : m_recent(new QMenu(tr("Open &recent"), this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(kLeastSize);
    frameFocus();
    routeKeys(*this);
    buildCentre();
    buildDetails(functions);
    m_log = new LogDialog(this);
    statusBar()->addPermanentWidget(m_log->button());
    connect(&m_state, &AnalysisState::epsilonOriginChanged, this, [this] {
        if (const QString origin = m_state.epsilonOrigin(); !origin.isEmpty()) {
            m_log->add(Severity::info, origin);
        }
    });
    addPages();
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildRunMenu();
    buildHelpMenu();
    addNextStep();
    addDataMenu();
    for (const NoticeLine* line : findChildren<NoticeLine*>()) {
        connect(line, &NoticeLine::presented, m_log, &LogDialog::add);
        connect(line, &NoticeLine::changed, this, &MainWindow::arrangeNotices);
    }
    connectSession();
    connectLoading();
    updateTitle();
    updateCommands();
    const QSettings settings;
    resize(kFirstSize);
    restoreGeometry(settings.value(kGeometry).toByteArray());
    restoreState(settings.value(kLayout).toByteArray(), kLayoutVersion);
    m_tabs->setCurrentIndex(settings.value(kTab, 0).toInt());
    for (CollapsibleSection* section : findChildren<CollapsibleSection*>()) {
        section->setOpen(settings.value(keyOf(*section), section->isOpen()).toBool());
    }
    // Pages have set their defaults while they were made.
    m_history.forget();
}

MainWindow::~MainWindow() {
    // Runners go with their panels; their board must not lay out what is left of the window then.
    m_jobs.disconnect();
    // Panels refer to the state, which as a member would go before the children of the window.
    m_panels.clear();
    delete m_session;
    delete m_release;
    delete m_dialBar;
    delete takeCentralWidget();  // before the details, whose limits the report refers to
    delete m_details;
    delete m_log;
}

QToolBar* MainWindow::addStrip(const QString& title, const char* objectName) {
    auto* strip = new QToolBar(title, this);
    strip->setObjectName(QLatin1String(objectName));
    strip->setMovable(false);
    strip->toggleViewAction()->setVisible(false);
    addToolBar(Qt::TopToolBarArea, strip);
    return strip;
}

void MainWindow::buildCentre() {
    QToolBar* strip = addStrip(tr("Setting"), "settingToolBar");
    m_setting = new SettingBar(m_state, strip);
    strip->addWidget(m_setting);

    auto* centre = new QWidget(this);
    m_notice = new NoticeLine(centre);
    m_centre = new QStackedWidget(centre);
    buildEmptyPage();
    m_tabs = new QTabWidget(m_centre);
    m_tabs->setObjectName(QStringLiteral("tabs"));
    m_tabs->setDocumentMode(true);
    buildTabBar();
    m_centre->addWidget(m_empty);
    m_centre->addWidget(m_tabs);
    columnIn(centre, 0, {m_notice, m_centre})->setStretch(1, 1);
    setCentralWidget(centre);

    m_status = new StatusArea(m_jobs, this);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::buildTabBar() {
    m_tabs->tabBar()->hide();
    // It hands the focus to its own bar, where Tab would end.
    m_tabs->setFocusPolicy(Qt::NoFocus);
    addToolBarBreak(Qt::TopToolBarArea);
    m_tabStrip = addStrip(tr("Views"), "tabToolBar");
    m_tabBar = new QTabBar(m_tabStrip);
    m_tabBar->setObjectName(QStringLiteral("tabBar"));
    m_tabBar->setAccessibleName(tr("Views"));
    m_tabBar->setDocumentMode(true);
    m_tabBar->setDrawBase(false);
    m_tabBar->setExpanding(false);
    guardWheel(m_tabBar);
    m_tabStrip->addWidget(m_tabBar);
    connect(m_tabBar, &QTabBar::currentChanged, m_tabs, &QTabWidget::setCurrentIndex);
    connect(m_tabs, &QTabWidget::currentChanged, m_tabBar, &QTabBar::setCurrentIndex);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::arrangeNotices);
}

void MainWindow::buildDetails(const LoadFunctions& functions) {
    m_details = new QDockWidget(tr("Details"), this);
    m_details->setObjectName(QStringLiteral("setupDock"));
    m_details->setFeatures(QDockWidget::DockWidgetClosable);
    m_details->setTitleBarWidget(new QWidget(m_details));
    m_setup = new SetupPanel(m_state, m_results, m_jobs, functions, m_details);
    m_details->setWidget(m_setup);
    addDockWidget(Qt::RightDockWidgetArea, m_details);  // where its button is
    m_details->hide();
    QAction* toggle = m_details->toggleViewAction();
    toggle->setObjectName(QStringLiteral("detailsAction"));
    toggle->setText(tr("&Details"));
    toggle->setToolTip(
        tr("Draws, words, seed, laws and metric, unknown words, and facts about the "
           "embedding (Ctrl+Shift+D)."));
    toggle->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    // The keys go where the eye goes: into the drawer, and back to what opened it.
    connect(toggle, &QAction::triggered, this, &MainWindow::focusDetails);

    const auto show = [this] { m_setting->showLimits(limits().status(), limits().lines()); };
    connect(&limits(), &LimitVerdicts::statusChanged, m_setting, show);
    connect(&limits(), &LimitVerdicts::checksChanged, m_setting, show);
    show();
}

/// One line at most of that of the window and those of the tab in front is shown: the most
/// important notice, and of equal ones that of the tab, its last.
void MainWindow::arrangeNotices() {
    QList<NoticeLine*> lines{m_notice};
    if (const QWidget* tab = m_tabs->currentWidget()) {
        lines += tab->findChildren<NoticeLine*>();
    }
    const NoticeLine* foremost = nullptr;
    for (const NoticeLine* line : lines) {
        if (line->holdsNotice() &&
            (foremost == nullptr || line->severity() >= foremost->severity())) {
            foremost = line;
        }
    }
    for (NoticeLine* line : lines) {
        line->giveWay(foremost != nullptr && line != foremost);
    }
}

LimitVerdicts& MainWindow::limits() {
    return m_setup->limits();
}

void MainWindow::present(const Notice& notice) {
    m_notice->present(notice);
}

void MainWindow::showMessage(const QString& text) {
    m_status->showMessage(text);
    m_log->add(Severity::info, text);
}

void MainWindow::updateTitle() {
    QStringList names{m_session->name()};
    if (const auto& embedding = m_state.embedding()) {
        names += toQString(embedding->embedding.name);
    }
    names.removeAll(QString());
    setWindowTitle(names.isEmpty() ? QStringLiteral("Epsilens[*]")
                                   : tr("%1[*] – Epsilens").arg(names.join(QStringLiteral(" – "))));
}

void MainWindow::showPanel(Panel* panel) {
    m_tabs->setCurrentWidget(panel);
}

void MainWindow::measureInFront() {
    const QWidget* page = m_tabs->currentWidget();
    if (page == m_tradeOff) {
        m_tradeOff->measureOrOpen();
    } else if (page == m_mechanisms) {
        m_mechanisms->compare();
    } else if (page == m_curves || page == m_report) {
        m_curves->run();
    } else {
        m_measurement.measureWordsOfRuns();
        if (!m_measurement.isCurrent() && !m_measurement.isRunning()) {
            m_measurement.measure();
        }
    }
}

void MainWindow::typeOver(int tab) {
    showTab(tab);
    QWidget* first = m_panels[static_cast<std::size_t>(tab)]->firstControl();
    if (auto* line = qobject_cast<QLineEdit*>(first)) {
        line->selectAll();
    } else if (auto* text = qobject_cast<QPlainTextEdit*>(first)) {
        text->selectAll();
    }
}

void MainWindow::updateCommands() {
    const bool isOpen = m_state.embedding() != nullptr;
    for (QAction* command : m_commands) {
        command->setEnabled(isOpen);
    }
    m_tabStrip->setVisible(isOpen);
    m_dialBar->setVisible(isOpen);
    // A bar that is laid out while it is hidden does not say how large it has become.
    m_tabBar->updateGeometry();
}

void MainWindow::showTab(int index) {
    m_tabs->setCurrentIndex(index);
    Panel* panel = m_panels[static_cast<std::size_t>(index)];
    QWidget* first = panel->firstControl();
    (first != nullptr ? first : panel)->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::focusNextPane() {
    const std::array<QWidget*, 3> panes{centralWidget(), m_dialBar, m_details};
    const QWidget* focused = QApplication::focusWidget();
    const auto present = std::ranges::find_if(panes, [focused](const QWidget* pane) {
        return focused != nullptr && pane->isAncestorOf(focused);
    });
    auto next = static_cast<std::size_t>(present - panes.begin());
    do {
        next = (next + 1) % panes.size();
    } while (!panes[next]->isVisible());
    if (panes[next] == m_dialBar) {
        m_dial->focusEpsilon();
    } else if (panes[next] == m_details) {
        focusDetails();
    } else if (m_centre->currentWidget() == m_tabs) {
        showTab(m_tabs->currentIndex());
    } else {
        m_empty->setFocus(Qt::ShortcutFocusReason);
    }
}

void MainWindow::focusDetails() {
    QWidget* target = m_details->isVisible()
                          ? m_setup->firstControl()
                          : m_setting->findChild<QWidget*>(QStringLiteral("detailsButton"));
    target->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    constexpr double kMinuteSeconds = 60.0;
    if (!m_status->mayStop(kMinuteSeconds) || !m_session->mayClose()) {
        event->ignore();
        return;
    }
    if (!remembered::nothing()) {
        QSettings settings;
        settings.setValue(kGeometry, saveGeometry());
        settings.setValue(kLayout, saveState(kLayoutVersion));
        settings.setValue(kTab, m_tabs->currentIndex());
        for (const CollapsibleSection* section : findChildren<CollapsibleSection*>()) {
            settings.setValue(keyOf(*section), section->isOpen());
        }
    }
    m_jobs.cancelAll();
    QMainWindow::closeEvent(event);
}

void MainWindow::showRelease() {
    auto* dialog = newReleaseDialog(m_state, limits(), m_jobs, m_setup->guarantee(), this);
    m_release = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReleaseDialog::released, m_log,
            [this](const QString& what) { m_log->add(Severity::info, what); });
    const Corpus& source = m_tradeOff->model().source();
    // The texts that are open are likely those to be released; a folder is no file.
    const auto offer = [&source, dialog] {
        if (const LabelledTextsHandle& texts = source.texts(); texts && texts->data.textColumn) {
            dialog->suggestFile(toQString(texts->source.options.path),
                                toQString(texts->data.textColumn->name));
        }
    };
    connect(&source, &Corpus::changed, dialog, offer);
    offer();
    dialog->open();
}

void MainWindow::copyCommand() {
    const auto& embedding = m_state.embedding()->embedding;
    calibration::RunRequest request{calibration::loadOptionsOf(embedding),
                                    optionsUnder(m_state.limits(), m_state.calibrationOptions())};
    request.load.path = toStd(m_openPath);
    const calibration::WordSelection& words = request.options.words;
    const bool isList = words.kind == calibration::WordSelection::Kind::list;
    const auto from = m_state.settings().wordsFrom();
    QApplication::clipboard()->setText(toQString(report::calibrateCommand(request, from)));
    const QString remark = isList ? remarkOn(from) : QString();
    m_status->showMessage(tr("Command copied. %1").arg(remark).trimmed());
}

bool MainWindow::showPreferences() {
    const std::unique_ptr<QDialog> dialog(newPreferencesDialog(this));
    return dialog->exec() == QDialog::Accepted;
}

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
    m_setting->setEmbeddingMenu(*others);
    menu.addSeparator();
    m_commands.push_back(add(menu, "saveSessionAction", tr("&Save session"), Qt::CTRL | Qt::Key_S,
                             [this] { m_session->save(); }));
    m_commands.push_back(add(menu, "saveSessionAsAction", tr("Save session &as…"),
                             Qt::CTRL | Qt::SHIFT | Qt::Key_S, [this] { m_session->saveAs(); }));
    addCommand(menu, "exportReportAction", tr("&Export report…"), Qt::CTRL | Qt::Key_E, [this] {
        showPanel(m_report);
        m_report->chooseExport();
    });
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
    m_commands.push_back(
        add(menu, "findWordAction", tr("&Find a word"), Qt::CTRL | Qt::Key_F, [this] {
            const bool isInSpace = m_tabs->currentIndex() == kSpace;
            typeOver(isInSpace ? kSpace : kWords);
        }));
    m_commands.push_back(add(menu, "focusSentenceAction", tr("Edit the &sentence"),
                             Qt::CTRL | Qt::Key_L, [this] { typeOver(0); }));
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
    const auto resizeText = [this](int percent) {
        m_status->showMessage(tr("Text size %1%").arg(changeTextSize(percent)));
    };
    const auto step = [resizeText](int steps) {
        resizeText(Preferences::load().textPercent + steps * Preferences::kTextStep);
    };
    // With and without Shift, since the plus is on the upper row of many keyboards.
    add(menu, "largerTextAction", tr("La&rger text"), {}, [step] {
        step(1);
    })->setShortcuts({Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal});
    add(menu, "smallerTextAction", tr("S&maller text"), Qt::CTRL | Qt::Key_Minus,
        [step] { step(-1); });
    add(menu, "usualTextAction", tr("Normal te&xt size"), Qt::CTRL | Qt::Key_0,
        [resizeText] { resizeText(Preferences().textPercent); });
}

void MainWindow::buildRunMenu() {
    QMenu& menu = *menuBar()->addMenu(tr("&Run"));
    addCommand(menu, "runAction", tr("&Measure"), Qt::Key_F5, [this] { measureInFront(); });
    addCommand(menu, "sampleAction", tr("&Sample again"), Qt::CTRL | Qt::Key_Return, [this] {
        showPanel(m_choose);
        m_choose->model().nextSample();
    });
    menu.addSeparator();
    m_releaseAction =
        addCommand(menu, "releaseAction", tr("&Release text…"), {}, [this] { showRelease(); });
    m_releaseAction->setIconText(tr("Release…"));
    m_releaseAction->setToolTip(
        tr("Replaces the words of a text or table at random, and writes the result."));
    m_setting->setActions(m_releaseAction, m_details->toggleViewAction());
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
        std::unique_ptr<QDialog>(newAboutDialog(this))->exec();
    })->setMenuRole(QAction::AboutRole);
}

}  // namespace epsilens::ui
