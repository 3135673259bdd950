#include "ui/shell/main_window.h"

#include <algorithm>
#include <array>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include "core/calibration/run.h"
#include "core/report/repeat_command.h"
#include "ui/dial/dial_panel.h"
#include "ui/release/release_dialog.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/preferences.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/state/limit_state.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/collapsible_section.h"
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
    buildCentre();
    buildDetails(functions);
    buildLog();
    addPages();
    buildMenus();
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
}

/// A drawer without a title: what opens it closes it, too.
void MainWindow::buildDetails(const LoadFunctions& functions) {
    m_details = new QDockWidget(tr("Details"), this);
    m_details->setObjectName(QStringLiteral("setupDock"));
    m_details->setFeatures(QDockWidget::DockWidgetClosable);
    m_details->setTitleBarWidget(new QWidget(m_details));
    m_setup = new SetupPanel(m_state, m_results, m_jobs, functions, m_details);
    m_details->setWidget(m_setup);
    addDockWidget(Qt::LeftDockWidgetArea, m_details);
    m_details->hide();
    QAction* toggle = m_details->toggleViewAction();
    toggle->setObjectName(QStringLiteral("detailsAction"));
    toggle->setText(tr("&Details"));
    toggle->setToolTip(
        tr("Draws, words, seed, limits, laws and metric, unknown words, and facts about the "
           "embedding (Ctrl+Shift+D)."));
    toggle->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    m_setting->offer(toggle);
    // The keys go where the eye goes: into the drawer, and back to what opened it.
    connect(toggle, &QAction::triggered, this, &MainWindow::focusDetails);

    const auto show = [this] { m_setting->showLimits(limits().status(), limits().lines()); };
    connect(&limits(), &LimitState::statusChanged, m_setting, show);
    connect(&limits(), &LimitState::checksChanged, m_setting, show);
    show();
}

void MainWindow::buildLog() {
    m_log = new LogDialog(this);
    statusBar()->addPermanentWidget(m_log->button());
    connect(&m_state, &AnalysisState::epsilonOriginChanged, this, [this] {
        if (const QString origin = m_state.epsilonOrigin(); !origin.isEmpty()) {
            m_log->add(Severity::info, origin);
        }
    });
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

/// By the tab in front before others.
void MainWindow::execute(PanelCommand command) {
    Panel* found = nullptr;
    for (Panel* panel : m_panels) {
        if (panel->handles(command) && (found == nullptr || panel == m_tabs->currentWidget())) {
            found = panel;
        }
    }
    showPanel(found);
    found->execute(command);
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

/// The tab, the dial, the details: those that are shown, in turn.
void MainWindow::focusNextPane() {
    const std::array<QWidget*, 3> panes{centralWidget(), m_dialBar, m_details};
    const QWidget* focused = QApplication::focusWidget();
    const auto present = std::find_if(panes.begin(), panes.end(), [focused](const QWidget* pane) {
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
    auto* dialog = new ReleaseDialog(m_state, limits(), m_jobs, m_setup->guarantee(), this);
    m_release = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReleaseDialog::released, m_log,
            [this](const QString& what) { m_log->add(Severity::info, what); });
    const LabelledSource& source = m_tradeOff->model().source();
    // The texts that are open in Texts are likely those to be released. A folder of texts is no
    // file that could be.
    const auto offer = [&source, dialog] {
        if (const LabelledTextsHandle& texts = source.texts(); texts && texts->data.textColumn) {
            dialog->offer(toQString(texts->source.options.path),
                          toQString(texts->data.textColumn->name));
        }
    };
    connect(&source, &LabelledSource::changed, dialog, offer);
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
    return PreferencesDialog(this).exec() == QDialog::Accepted;
}

void MainWindow::changeTextSize(int percent) {
    m_status->showMessage(tr("Text size %1%").arg(ui::changeTextSize(percent)));
}

}  // namespace epsilens::ui
