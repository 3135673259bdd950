#include "ui/shell/main_window.h"

#include <algorithm>
#include <functional>

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/calibration/run.h"
#include "core/report/repeat_command.h"
#include "ui/help/help_topics.h"
#include "ui/release/release_dialog.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/dock_title.h"
#include "ui/shell/empty_state.h"
#include "ui/shell/foremost_notice.h"
#include "ui/shell/log_dialog.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/shell/window_layout.h"
#include "ui/state/limit_state.h"
#include "ui/state/run_options.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr QSize kLeastSize{960, 600};

/// The texts that are open in Texts are likely those to be released. A folder of texts is no
/// file that could be.
void offerLabelledTexts(const LabelledSource& source, ReleaseDialog& dialog) {
    if (const LabelledTextsHandle& texts = source.texts(); texts && texts->data.textColumn) {
        dialog.offer(toQString(texts->source.options.path),
                     toQString(texts->data.textColumn->name));
    }
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

MainWindow::MainWindow(const LoadFunctions& functions, QWidget* parent)
    : QMainWindow(parent), m_actions(WindowActions::build(*this, m_history.stack())) {
    setObjectName(QStringLiteral("mainWindow"));
    updateTitle();
    setMinimumSize(kLeastSize);
    buildCentre();
    buildDock(functions);
    buildLog();
    connectActions();
    connectLoading();
    explainControls(*this);
    updateCommands();
    restoreWindow();
}

MainWindow::~MainWindow() {
    // Runners go with their panels; their board must not lay out what is left of the window then.
    m_jobs.disconnect();
    // Panels refer to the state, which as a member would go before the children of the window.
    m_panels.clear();
    delete m_release;
    delete takeCentralWidget();  // before the set-up, whose limits the report refers to
    delete m_setupDock;
    delete m_logDialog;
}

void MainWindow::buildCentre() {
    auto* strip = new QToolBar(tr("Setting"), this);
    strip->setObjectName(QStringLiteral("settingToolBar"));
    strip->setMovable(false);
    m_setting = new SettingBar(m_state, strip);
    auto* others = new QMenu(this);
    others->setObjectName(QStringLiteral("embeddingMenu"));
    others->addActions({m_actions.open, m_actions.openSample, m_actions.openPoincareSample,
                        m_actions.recent->menuAction()});
    m_setting->offer(*others);
    strip->addWidget(m_setting);
    strip->toggleViewAction()->setVisible(false);
    addToolBar(Qt::TopToolBarArea, strip);

    auto* centre = new QWidget(this);
    m_notice = new NoticeLine(centre);
    m_centre = new QStackedWidget(centre);
    m_empty = new EmptyState(m_centre);
    m_tabs = new QTabWidget(m_centre);
    m_tabs->setObjectName(QStringLiteral("tabs"));
    m_tabs->setDocumentMode(true);
    buildTabBar();
    m_centre->addWidget(m_empty);
    m_centre->addWidget(m_tabs);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notice);
    layout->addWidget(m_centre, 1);
    setCentralWidget(centre);

    m_status = new StatusArea(m_jobs, this);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
}

/// Above the dial, which is low on most tabs: the tabs stay where they are.
void MainWindow::buildTabBar() {
    m_tabs->tabBar()->hide();
    // It hands the focus to its own bar, where Tab would end.
    m_tabs->setFocusPolicy(Qt::NoFocus);
    auto* strip = new QToolBar(tr("Views"), this);
    strip->setObjectName(QStringLiteral("tabToolBar"));
    strip->setMovable(false);
    strip->toggleViewAction()->setVisible(false);
    m_tabBar = new QTabBar(strip);
    m_tabBar->setObjectName(QStringLiteral("tabBar"));
    m_tabBar->setAccessibleName(tr("Views"));
    m_tabBar->setDocumentMode(true);
    m_tabBar->setDrawBase(false);
    m_tabBar->setExpanding(false);
    guardWheel(m_tabBar);
    strip->addWidget(m_tabBar);
    addToolBarBreak(Qt::TopToolBarArea);
    addToolBar(Qt::TopToolBarArea, strip);
    connect(m_tabBar, &QTabBar::currentChanged, m_tabs, &QTabWidget::setCurrentIndex);
    connect(m_tabs, &QTabWidget::currentChanged, m_tabBar, &QTabBar::setCurrentIndex);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::arrangeNotices);
    const auto show = [this, strip] {
        strip->setVisible(m_state.embedding() != nullptr);
        // A bar that is laid out while it is hidden does not say how large it has become.
        m_tabBar->updateGeometry();
    };
    connect(&m_state, &AnalysisState::embeddingChanged, strip, show);
    show();
}

void MainWindow::buildDock(const LoadFunctions& functions) {
    m_setupDock = new QDockWidget(tr("Details"), this);
    m_setupDock->setObjectName(QStringLiteral("setupDock"));
    m_setupDock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    m_setup = new SetupPanel(m_state, m_results, m_jobs, functions, m_setupDock);
    followLimits();
    m_setupDock->setWidget(m_setup);
    m_setupDock->setTitleBarWidget(new DockTitle(m_setupDock));
    addDockWidget(Qt::LeftDockWidgetArea, m_setupDock);
    QAction* toggle = m_setupDock->toggleViewAction();
    toggle->setObjectName(QStringLiteral("detailsAction"));
    toggle->setText(tr("&Details"));
    toggle->setToolTip(
        tr("Draws, words, seed, limits, laws and metric, unknown words, and facts about the "
           "embedding (Ctrl+Shift+D)."));
    toggle->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    // The keys go where the eye goes: into the drawer, and back to what opened it.
    connect(toggle, &QAction::triggered, this, &MainWindow::focusDetails);
    connect(&m_fieldKeys, &FieldKeys::paneClosed, this, [this] { focusDetails(); });
    if (auto* hide = m_setupDock->findChild<QToolButton*>(QStringLiteral("setupDockHideButton"))) {
        connect(hide, &QToolButton::clicked, this, &MainWindow::focusDetails);
    }
    m_setupDock->hide();
    m_setting->offer(toggle);
    m_actions.view->insertAction(m_actions.view->actions().front(), toggle);
    m_actions.view->insertSeparator(m_actions.view->actions().at(1));
}

void MainWindow::buildLog() {
    m_logDialog = new LogDialog(m_log, this);
    statusBar()->addPermanentWidget(m_logDialog->makeButton(statusBar()));
    auto* show = new QAction(tr("&Log"), this);
    connect(show, &QAction::triggered, m_logDialog, &QWidget::show);
    m_actions.view->insertAction(m_actions.view->actions().at(1), show);
    followLines(*this);
    connect(&m_state, &AnalysisState::epsilonOriginChanged, this, [this] {
        if (const QString origin = m_state.epsilonOrigin(); !origin.isEmpty()) {
            m_log.add(Severity::info, origin);
        }
    });
}

void MainWindow::followLines(const QWidget& part) {
    const auto lines = part.findChildren<NoticeLine*>();
    for (const NoticeLine* line : lines) {
        m_log.follow(*line);
        connect(line, &NoticeLine::changed, this, &MainWindow::arrangeNotices);
    }
}

void MainWindow::arrangeNotices() {
    showForemost(*m_notice, m_tabs->currentWidget());
}

LimitState& MainWindow::limits() {
    return m_setup->limits();
}

void MainWindow::followLimits() {
    const LimitState& limits = m_setup->limits();
    const auto show = [this, &limits] { m_setting->showLimits(limits.status(), limits.lines()); };
    connect(&limits, &LimitState::statusChanged, m_setting, show);
    connect(&limits, &LimitState::checksChanged, m_setting, show);
    show();
}

void MainWindow::connectActions() {
    connect(m_actions.open, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(m_actions.openSample, &QAction::triggered, this,
            [this] { open(EmbeddingLoader::sampleName()); });
    connect(m_actions.openPoincareSample, &QAction::triggered, this,
            [this] { open(EmbeddingLoader::poincareSampleName()); });
    connect(m_actions.recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.focusLambda, &QAction::triggered, this, [this] {
        // Not every mechanism has one to change.
        if (m_state.mechanism().hasLambda()) {
            m_setting->focusLambda();
        } else {
            m_actions.focusEpsilon->trigger();
        }
    });
    connect(m_actions.focusSentence, &QAction::triggered, this,
            [this] { execute(PanelCommand::focusSentence); });
    connect(m_actions.findWord, &QAction::triggered, this,
            [this] { execute(PanelCommand::findWord); });
    connectCommand(*m_actions.run, *this, [this] { execute(PanelCommand::run); });
    connectCommand(*m_actions.sample, *this, [this] { execute(PanelCommand::sample); });
    connectCommand(*m_actions.exportReport, *this, [this] { execute(PanelCommand::exportReport); });
    connectCommand(*m_actions.release, *this, [this] { showRelease(); });
    connectCommand(*m_actions.copyCommand, *this, [this] { copyCommand(); });
    connect(m_actions.cancel, &QAction::triggered, m_status, [this] { m_status->askToCancel(); });
    connect(&m_jobs, &JobBoard::changed, this,
            [this] { m_actions.cancel->setEnabled(m_jobs.runningCount() > 0); });
    connect(m_actions.nextPane, &QAction::triggered, this, &MainWindow::focusNextPane);
    connect(m_actions.themes, &QActionGroup::triggered, this, [](const QAction* action) {
        changeTheme(static_cast<ThemeChoice>(action->data().toInt()));
    });
    connect(m_actions.preferences, &QAction::triggered, this, &MainWindow::showPreferences);
    const auto step = [this](int steps) {
        changeTextSize(Preferences::load().textPercent + steps * Preferences::kTextStep);
    };
    connect(m_actions.largerText, &QAction::triggered, this, [step] { step(1); });
    connect(m_actions.smallerText, &QAction::triggered, this, [step] { step(-1); });
    connect(m_actions.usualText, &QAction::triggered, this,
            [this] { changeTextSize(Preferences().textPercent); });
    connect(m_actions.help, &QAction::triggered, this, [this] { m_help.showForFocus(); });
    connect(m_actions.about, &QAction::triggered, this, [this] { AboutDialog(this).exec(); });
}

void MainWindow::addPanel(Panel* panel) {
    const int index = m_tabs->addTab(panel, panel->title());
    m_tabBar->addTab(panel->title());
    m_panels.push_back(panel);
    followLines(*panel);
    explainControls(*panel);
    auto* action = new QAction(panel->title(), this);
    action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + index)));
    m_actions.view->insertAction(m_actions.tabsEnd, action);
    connect(action, &QAction::triggered, this, [this, index] { showTab(index); });
    updateCommands();
}

void MainWindow::setSession(const QString& name, bool modified) {
    m_sessionName = name;
    setWindowModified(modified);
    updateTitle();
}

void MainWindow::present(const Notice& notice) {
    m_notice->present(notice);
}

void MainWindow::withdraw(const QString& text) {
    if (m_notice->text() == text) {
        m_notice->clear();
    }
}

void MainWindow::showMessage(const QString& text) {
    m_status->showMessage(text);
    m_log.add(Severity::info, text);
}

void MainWindow::updateTitle() {
    QString title = m_sessionName;
    if (const auto& embedding = m_state.embedding()) {
        const QString name = toQString(embedding->embedding.name);
        title += title.isEmpty() ? name : QStringLiteral(" – ") + name;
    }
    setWindowTitle(title.isEmpty() ? QStringLiteral("Epsilens[*]")
                                   : tr("%1[*] – Epsilens").arg(title));
}

void MainWindow::showPanel(Panel* panel) {
    m_tabs->setCurrentWidget(panel);
}

Panel* MainWindow::panelFor(PanelCommand command) const {
    auto* front = qobject_cast<Panel*>(m_tabs->currentWidget());
    if (front != nullptr && front->handles(command)) {
        return front;
    }
    for (Panel* panel : m_panels) {
        if (panel->handles(command)) {
            return panel;
        }
    }
    return nullptr;
}

void MainWindow::execute(PanelCommand command) {
    if (Panel* panel = panelFor(command)) {
        m_tabs->setCurrentWidget(panel);
        panel->execute(command);
    }
}

void MainWindow::updateCommands() {
    const bool open = m_state.embedding() != nullptr;
    m_actions.run->setEnabled(open && panelFor(PanelCommand::run) != nullptr);
    m_actions.release->setEnabled(open);
    m_actions.present->setEnabled(open);
    m_actions.sample->setEnabled(open && panelFor(PanelCommand::sample) != nullptr);
    m_actions.exportReport->setEnabled(open && panelFor(PanelCommand::exportReport) != nullptr);
    m_actions.saveSession->setEnabled(open);
    m_actions.saveSessionAs->setEnabled(open);
    m_actions.findWord->setEnabled(open && panelFor(PanelCommand::findWord) != nullptr);
    m_actions.focusSentence->setEnabled(open && panelFor(PanelCommand::focusSentence) != nullptr);
}

void MainWindow::showTab(int index) {
    m_tabs->setCurrentIndex(index);
    Panel* panel = m_panels[static_cast<std::size_t>(index)];
    QWidget* first = panel->firstControl();
    (first != nullptr ? first : panel)->setFocus(Qt::ShortcutFocusReason);
}

/// The tab, the dial, the details: those that are shown, in turn.
void MainWindow::focusNextPane() {
    struct Pane {
        const QWidget* area;
        std::function<void()> enter;
    };
    std::vector<Pane> panes{{centralWidget(), [this] {
                                 if (m_centre->currentWidget() == m_tabs && !m_panels.empty()) {
                                     showTab(m_tabs->currentIndex());
                                 } else {
                                     m_centre->currentWidget()->setFocus(Qt::ShortcutFocusReason);
                                 }
                             }}};
    if (const auto* dial = findChild<QToolBar*>(QStringLiteral("dialToolBar"));
        dial != nullptr && dial->isVisible()) {
        panes.push_back({dial, [this] { m_actions.focusEpsilon->trigger(); }});
    }
    if (m_setupDock->isVisible()) {
        panes.push_back(
            {m_setup, [this] { m_setup->firstControl()->setFocus(Qt::ShortcutFocusReason); }});
    }
    const QWidget* focused = QApplication::focusWidget();
    const auto present = std::find_if(panes.begin(), panes.end(), [focused](const Pane& pane) {
        return focused != nullptr && pane.area->isAncestorOf(focused);
    });
    if (present == panes.end()) {
        panes.back().enter();
    } else {
        panes[static_cast<std::size_t>(present - panes.begin() + 1) % panes.size()].enter();
    }
}

void MainWindow::focusDetails() {
    QWidget* target = m_setupDock->isVisible()
                          ? m_setup->firstControl()
                          : m_setting->findChild<QWidget*>(QStringLiteral("detailsButton"));
    if (target != nullptr) {
        target->setFocus(Qt::ShortcutFocusReason);
    }
}

void MainWindow::revealSetup() {
    m_setupDock->show();
    m_setupDock->raise();
}

void MainWindow::restoreWindow() {
    m_actions.themes->actions().at(static_cast<int>(Preferences::load().theme))->setChecked(true);
    restoreLayout(*this);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    constexpr double kMinuteSeconds = 60.0;
    if (!m_status->mayStop(kMinuteSeconds) || (m_mayClose && !m_mayClose(false))) {
        event->ignore();
        return;
    }
    saveLayout(*this);
    m_jobs.cancelAll();
    QMainWindow::closeEvent(event);
}

void MainWindow::showRelease() {
    auto* dialog = new ReleaseDialog(m_state, limits(), m_jobs, this, &m_setup->guarantee());
    m_release = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReleaseDialog::released, &m_log,
            [this](const QString& what) { m_log.add(Severity::info, what); });
    if (const auto* tradeOff = findChild<TradeOffPanel*>()) {
        const LabelledSource& source = tradeOff->model().source();
        const auto offer = [&source, dialog] { offerLabelledTexts(source, *dialog); };
        connect(&source, &LabelledSource::changed, dialog, offer);
        offer();
    }
    dialog->open();
}

void MainWindow::copyCommand() {
    const embedding::EmbeddingHandle& embedding = m_state.embedding();
    if (!embedding) {
        return;
    }
    calibration::RunRequest request{calibration::loadOptionsOf(embedding->embedding),
                                    optionsUnder(m_state.limits(), m_state.calibrationOptions())};
    request.load.path = toStd(m_openPath);
    const calibration::WordSelection& words = request.options.words;
    const bool isList = words.kind == calibration::WordSelection::Kind::list;
    const auto selection = isList ? m_state.wordSources().of(words) : std::nullopt;
    QApplication::clipboard()->setText(toQString(report::calibrateCommand(request, selection)));
    const QString remark = isList ? remarkOn(selection) : QString();
    m_status->showMessage(tr("Command copied. %1").arg(remark).trimmed());
}

bool MainWindow::showPreferences() {
    PreferencesDialog dialog(Preferences::load(), this);
    connect(
        &dialog, &PreferencesDialog::preferencesChanged, this,
        [this](const Preferences& preferences) {
            m_actions.themes->actions().at(static_cast<int>(preferences.theme))->setChecked(true);
            m_empty->refresh();
        });
    return dialog.exec() == QDialog::Accepted;
}

void MainWindow::changeTextSize(int percent) {
    m_status->showMessage(tr("Text size %1%").arg(ui::changeTextSize(percent)));
}

}  // namespace epsilens::ui
