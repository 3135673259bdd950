#include "ui/shell/main_window.h"

#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSettings>
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
#include "ui/shell/empty_state.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/state/limit_state.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr QSize kLeastSize{960, 600};
constexpr QSize kFirstSize{1200, 800};
constexpr int kLayoutVersion = 3;  ///< of the remembered arrangement; others are ignored
constexpr QLatin1String kGeometry{"window/geometry"};
constexpr QLatin1String kLayout{"window/layout"};
constexpr QLatin1String kTab{"window/tab"};

QString keyOf(const CollapsibleSection& section) {
    return QStringLiteral("window/open/") + section.objectName();
}

/// Title of a dock, aligned with its content. The dock can be moved by it.
QWidget* titleOf(QDockWidget& dock, QToolButton* hide) {
    auto* title = new QWidget(&dock);
    auto* layout = new QHBoxLayout(title);
    layout->setContentsMargins(kPanelMargin, 4, 6, 0);
    layout->addWidget(hintLabel(dock.windowTitle(), title));
    layout->addStretch();
    layout->addWidget(hide);
    return title;
}

/// Hides a dock.
QToolButton* hideButton(QDockWidget& dock) {
    auto* hide = new QToolButton(&dock);
    describe(*hide, "setupDockHideButton", MainWindow::tr("Hide %1").arg(dock.windowTitle()),
             MainWindow::tr("Hide; View → %1 brings it back").arg(dock.windowTitle()));
    hide->setText(QStringLiteral("✕"));
    hide->setAutoRaise(true);
    followFont(hide, [hide](const QFontMetrics& metrics) {
        const int size = scaledToText(kLeastTarget, metrics);
        hide->setFixedSize(size, size);
    });
    hide->setFocusPolicy(Qt::TabFocus);
    QObject::connect(hide, &QToolButton::clicked, &dock, &QDockWidget::close);
    return hide;
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

MainWindow::MainWindow(const LoadFunctions& functions, QWidget* parent) : QMainWindow(parent) {
    setObjectName(QStringLiteral("mainWindow"));
    updateTitle();
    setMinimumSize(kLeastSize);
    buildCentre();
    buildDock(functions);
    buildLog();
    buildMenus();
    connectLoading();
    explainControls(*this);
    updateCommands();
    m_actions.themes->actions().at(static_cast<int>(Preferences::load().theme))->setChecked(true);
    const QSettings settings;
    resize(kFirstSize);
    restoreGeometry(settings.value(kGeometry).toByteArray());
    restoreState(settings.value(kLayout).toByteArray(), kLayoutVersion);
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
    const auto show = [this] {
        m_tabStrip->setVisible(m_state.embedding() != nullptr);
        // A bar that is laid out while it is hidden does not say how large it has become.
        m_tabBar->updateGeometry();
    };
    connect(&m_state, &AnalysisState::embeddingChanged, m_tabStrip, show);
    show();
}

void MainWindow::buildDock(const LoadFunctions& functions) {
    m_setupDock = new QDockWidget(tr("Details"), this);
    m_setupDock->setObjectName(QStringLiteral("setupDock"));
    m_setupDock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    m_setup = new SetupPanel(m_state, m_results, m_jobs, functions, m_setupDock);
    m_setupDock->setWidget(m_setup);
    QToolButton* hide = hideButton(*m_setupDock);
    m_setupDock->setTitleBarWidget(titleOf(*m_setupDock, hide));
    addDockWidget(Qt::LeftDockWidgetArea, m_setupDock);
    m_setupDock->hide();
    QAction* toggle = m_setupDock->toggleViewAction();
    toggle->setObjectName(QStringLiteral("detailsAction"));
    toggle->setText(tr("&Details"));
    toggle->setToolTip(
        tr("Draws, words, seed, limits, laws and metric, unknown words, and facts about the "
           "embedding (Ctrl+Shift+D)."));
    toggle->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    m_setting->offer(toggle);
    // The keys go where the eye goes: into the drawer, and back to what opened it.
    connect(toggle, &QAction::triggered, this, &MainWindow::focusDetails);
    connect(&m_fieldKeys, &FieldKeys::paneClosed, this, &MainWindow::focusDetails);
    connect(hide, &QToolButton::clicked, this, &MainWindow::focusDetails);

    const auto show = [this] { m_setting->showLimits(limits().status(), limits().lines()); };
    connect(&limits(), &LimitState::statusChanged, m_setting, show);
    connect(&limits(), &LimitState::checksChanged, m_setting, show);
    show();
}

void MainWindow::buildLog() {
    m_logDialog = new LogDialog(m_log, this);
    statusBar()->addPermanentWidget(m_logDialog->makeButton(statusBar()));
    followLines(*this);
    connect(&m_state, &AnalysisState::epsilonOriginChanged, this, [this] {
        if (const QString origin = m_state.epsilonOrigin(); !origin.isEmpty()) {
            m_log.add(Severity::info, origin);
        }
    });
}

void MainWindow::followLines(const QWidget& part) {
    for (const NoticeLine* line : part.findChildren<NoticeLine*>()) {
        connect(line, &NoticeLine::presented, &m_log, &NoticeLog::add);
        connect(line, &NoticeLine::changed, this, &MainWindow::arrangeNotices);
    }
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

LimitState& MainWindow::limits() {
    return m_setup->limits();
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

/// The tab in front before others.
Panel* MainWindow::panelFor(PanelCommand command) const {
    Panel* found = nullptr;
    for (Panel* panel : m_panels) {
        if (panel->handles(command) && (found == nullptr || panel == m_tabs->currentWidget())) {
            found = panel;
        }
    }
    return found;
}

void MainWindow::execute(PanelCommand command) {
    if (Panel* panel = panelFor(command)) {
        m_tabs->setCurrentWidget(panel);
        panel->execute(command);
    }
}

void MainWindow::updateCommands() {
    const bool open = m_state.embedding() != nullptr;
    for (QAction* action :
         {m_actions.release, m_actions.present, m_actions.saveSession, m_actions.saveSessionAs}) {
        action->setEnabled(open);
    }
    for (const auto& [action, command] : m_commands) {
        action->setEnabled(open && panelFor(command) != nullptr);
    }
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
        panes.push_back({m_setup, [this] { focusDetails(); }});
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
    target->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::restoreOpen() {
    const QSettings settings;
    m_tabs->setCurrentIndex(settings.value(kTab, 0).toInt());
    for (CollapsibleSection* section : findChildren<CollapsibleSection*>()) {
        section->setOpen(settings.value(keyOf(*section), section->isOpen()).toBool());
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    constexpr double kMinuteSeconds = 60.0;
    if (!m_status->mayStop(kMinuteSeconds) || (m_mayClose && !m_mayClose(false))) {
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
    auto* dialog = new ReleaseDialog(m_state, limits(), m_jobs, m_setup->guarantee(), this);
    m_release = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReleaseDialog::released, &m_log,
            [this](const QString& what) { m_log.add(Severity::info, what); });
    if (const auto* tradeOff = findChild<TradeOffPanel*>()) {
        const LabelledSource& source = tradeOff->model().source();
        // The texts that are open in Texts are likely those to be released. A folder of texts is
        // no file that could be.
        const auto offer = [&source, dialog] {
            if (const LabelledTextsHandle& texts = source.texts();
                texts && texts->data.textColumn) {
                dialog->offer(toQString(texts->source.options.path),
                              toQString(texts->data.textColumn->name));
            }
        };
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
    const bool isAccepted = dialog.exec() == QDialog::Accepted;
    if (isAccepted) {
        m_actions.themes->actions()
            .at(static_cast<int>(dialog.preferences().theme))
            ->setChecked(true);
        m_empty->refresh();
    }
    return isAccepted;
}

void MainWindow::changeTextSize(int percent) {
    m_status->showMessage(tr("Text size %1%").arg(ui::changeTextSize(percent)));
}

}  // namespace epsilens::ui
