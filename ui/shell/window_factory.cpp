#include "ui/shell/window_factory.h"

#include <utility>
#include <vector>

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include "ui/curves/curves_panel.h"
#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/help/help_topics.h"
#include "ui/help/help_window.h"
#include "ui/live/attacker_guesses.h"
#include "ui/live/live_panel.h"
#include "ui/mechanisms/mechanisms_page.h"
#include "ui/plot/xy_plot.h"
#include "ui/present/presentation.h"
#include "ui/report/report_panel.h"
#include "ui/setup/embedding_loader.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/field_keys.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/space/space_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/limit_state.h"
#include "ui/state/limits_model.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/quick_measurement.h"
#include "ui/state/session_results.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"
#include "ui/words/words_panel.h"

namespace epsilens::ui {

namespace {

/// What Tab stops at within a widget, in its order.
std::vector<QWidget*> stopsOf(QWidget& group) {
    std::vector<QWidget*> stops;
    for (QWidget* next = group.nextInFocusChain(); next != &group;
         next = next->nextInFocusChain()) {
        if (group.isAncestorOf(next) && (next->focusPolicy() & Qt::TabFocus) != 0) {
            stops.push_back(next);
        }
    }
    return stops;
}

/// Tab goes as the eye does: from the bar to the tabs and the dial below it, which was made after
/// the panels.
void letTabFollow(QWidget& bar, QWidget& tabs, QWidget& dial) {
    QWidget* last = stopsOf(bar).back();
    QWidget::setTabOrder(last, &tabs);
    last = &tabs;
    for (QWidget* stop : stopsOf(dial)) {
        QWidget::setTabOrder(last, stop);
        last = stop;
    }
}

/// All pages of a window, and what one of them tells another. Belongs to the window.
class Pages final : public QObject {
public:
    explicit Pages(MainWindow& window);

private:
    void addDial();
    void addNextStep();
    void connectPins();
    void connectCurves();
    void connectWords();
    void connectTradeOff();
    void connectOwnTexts();
    void addDataMenu();
    void connectReport();
    void connectSession();
    /// Tells of a failure, unless somebody wanted it.
    void complain(const Error& error) {
        if (error.code != ErrorCode::cancelled) {
            m_window.present(noticeFor(error));
        }
    }

    MainWindow& m_window;
    AnalysisState& m_state = m_window.state();
    SetupPanel& m_setup = m_window.setup();
    GuaranteeModel& m_promise = m_setup.guarantee();
    JobBoard& m_jobs = m_window.jobs();
    live::LivePanel& m_live = *new live::LivePanel(m_state);
    CurvesPanel& m_curves = *new CurvesPanel(m_state);
    WordsPanel& m_words = *new WordsPanel(m_state, m_window.results(), m_window.measurement());
    TradeOffPanel& m_tradeOff = *new TradeOffPanel(m_state);
    LabelledSource& m_texts = m_tradeOff.model().source();
    ReportPanel& m_report = *new ReportPanel(m_state, m_window.results());
    ReportDraft& m_draft = m_report.draft();
    MechanismsPage& m_mechanisms = *new MechanismsPage(m_state, m_promise, m_jobs);
    DialPanel* m_dial = nullptr;
};

Pages::Pages(MainWindow& window) : QObject(&window), m_window(window) {
    // The path, then what explains.
    for (Panel* panel :
         std::initializer_list<Panel*>{&m_live, &m_mechanisms, &m_tradeOff, &m_report, &m_curves,
                                       new SpacePanel(m_state), &m_words}) {
        window.addPanel(panel);
    }
    addNextStep();
    addDial();
    connectPins();
    connectCurves();
    connectWords();
    connectTradeOff();
    connectOwnTexts();
    addDataMenu();
    connectReport();
    connectSession();

    m_jobs.putFirst(&m_live.model().outputJob());
    m_jobs.watch(&m_live.guesses().job());
    // The editor of all limits, in the details.
    connect(&m_live, &live::LivePanel::limitsRequested, this, [this] {
        m_window.findChild<QDockWidget*>(QStringLiteral("setupDock"))->show();
        m_setup.showLimits();
    });
    connect(&m_mechanisms, &MechanismsPage::mechanismTaken, &window, &MainWindow::showMessage);
    // A presentation shows what Choose knows, which is kept up while that tab is in front.
    connect(window.actions().present, &QAction::triggered, this, [this] {
        if (auto* open = m_window.findChild<Presentation*>()) {
            open->activateWindow();
            return;
        }
        m_window.showPanel(&m_live);
        auto* presentation =
            new Presentation(m_dial->model(), m_live.model(), m_live.guesses(), &m_window);
        presentation->showFullScreen();
        presentation->setFocus(Qt::OtherFocusReason);
    });
    for (const ValueSlider* slider : window.findChildren<ValueSlider*>()) {
        window.history().followDrags(*slider);
    }
    for (const XyPlot* plot : window.findChildren<XyPlot*>()) {
        window.history().followDrags(*plot);
    }
}

/// Puts the dial across the top of the window, where every tab is seen below it: large where a text
/// is looked at, low elsewhere, and away without an embedding. Measures the current setting for it.
void Pages::addDial() {
    QuickMeasurement& measurement = m_window.measurement();
    auto* search = new LimitsModel(m_state, m_setup.limits(), measurement, &m_setup);
    auto* model =
        new DialModel(m_state, m_promise, m_setup.limits(), *search, measurement, &m_setup);

    auto* bar = new QToolBar(DialPanel::tr("Dial"), &m_window);
    bar->setObjectName(QStringLiteral("dialToolBar"));
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    m_dial = new DialPanel(*model, bar);
    bar->addWidget(m_dial);
    explainControls(*bar);
    m_window.addToolBarBreak(Qt::TopToolBarArea);
    m_window.addToolBar(Qt::TopToolBarArea, bar);
    // What the dial shows goes with the set-up, which the window takes down first.
    connect(&m_setup, &QObject::destroyed, bar, [bar] { delete bar; });

    const auto show = [this, bar] { bar->setVisible(m_state.embedding() != nullptr); };
    connect(&m_state, &AnalysisState::embeddingChanged, bar, show);
    show();
    connect(&m_window.tabs(), &QTabWidget::currentChanged, m_dial,
            [this](int index) { m_dial->setLarge(index <= 0); });
    connect(m_window.actions().focusEpsilon, &QAction::triggered, m_dial, &DialPanel::focusEpsilon);
    connect(m_dial, &DialPanel::promiseHelpRequested, this, [this] {
        showHelp(m_window, QStringLiteral("guarantees#looks-private-promises-little"));
        m_window.showMessage(tr("The help explains it, in its own window; Esc closes that."));
    });
    letTabFollow(m_window.settingBar(), m_window.tabBar(), *m_dial);
}

/// The step of the path that follows each of its pages, offered beside the tabs.
void Pages::addNextStep() {
    QToolBar& strip = m_window.tabStrip();
    auto* next = described(new QToolButton(&strip), "nextStepButton", tr("Next step"),
                           tr("Goes on along the path from a text to its release."));
    next->setAutoRaise(true);
    auto* gap = new QWidget(&strip);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    strip.addWidget(gap);
    strip.addWidget(next);
    struct Step {
        const Panel* from;
        Panel* to;  ///< null: to the release
        QString text;
    };
    const auto step = [this] {
        for (const Step& one : std::initializer_list<Step>{
                 {&m_live, &m_mechanisms, tr("Next: see what each mechanism promises ▸")},
                 {&m_mechanisms, &m_tradeOff,
                  m_texts.texts() ? tr("Next: measure your own texts ▸")
                                  : tr("Next: open your own texts ▸")},
                 {&m_tradeOff, &m_report, tr("Next: write the memo ▸")},
                 {&m_report, nullptr, tr("Next: release a text ▸")}}) {
            if (m_window.tabs().currentWidget() == one.from) {
                return one;
            }
        }
        return Step{nullptr, &m_live, tr("Back to the choice ▸")};
    };
    const auto show = [step, next] { next->setText(step().text); };
    connect(&m_window.tabs(), &QTabWidget::currentChanged, next, show);
    connect(&m_texts, &LabelledSource::changed, next, show);
    connect(next, &QToolButton::clicked, this, [this, step] {
        if (Panel* to = step().to) {
            m_window.showPanel(to);
        } else {
            m_window.actions().release->trigger();
        }
    });
    show();
}

/// Lets the menu of the window pin the settings and unpin them.
void Pages::connectPins() {
    const auto update = [this] {
        m_window.actions().pin->setEnabled(m_state.embedding() != nullptr);
        m_window.actions().unpin->setEnabled(m_state.pin().has_value());
    };
    connectCommand(*m_window.actions().pin, m_window, [this] {
        m_state.edit(&AnalysisSettings::pinPresent);
        m_window.showMessage(
            tr("Pinned: %1. Change a setting to compare.").arg(pinTitle(*m_state.pin())));
    });
    connect(m_window.actions().unpin, &QAction::triggered, this,
            [this] { m_state.edit(&AnalysisSettings::pin, std::nullopt); });
    connect(&m_state, &AnalysisState::embeddingChanged, this, update);
    m_state.onChange(&AnalysisSettings::pin, this, update);
    update();
}

/// The report and the measured words follow the runs of the curves.
void Pages::connectCurves() {
    CurvesModel& model = m_curves.model();
    m_jobs.watch(&model.runner());
    m_jobs.watch(&model.refiner());
    const auto showRun = [this, &model] {
        m_report.setRunState(model.obstacle(), model.isRunning());
    };
    connect(&m_curves, &CurvesPanel::runStateChanged, &m_report, showRun);
    connect(&model, &CurvesModel::runningChanged, &m_report, showRun);
    showRun();
    connect(&m_report, &ReportPanel::runRequested, &m_curves, &CurvesPanel::run);
    connect(&m_curves, &CurvesPanel::gridWanted, this, [this] { m_window.showPanel(&m_curves); });
    connect(&model, &CurvesModel::resultChanged, this, [this] {
        const RunCurvesHandle& result = m_curves.result();
        if (!result || !result->isOf(m_state.embedding())) {
            return;
        }
        m_window.measurement().followRun(*result->run);
        // The report has those of a session already.
        if (!result->isRestored) {
            m_draft.setRun(result->run);
        }
    });
}

void Pages::connectWords() {
    SessionResults& results = m_window.results();
    m_jobs.watch(m_words.exporter());
    m_jobs.watch(&results.densityRunner());
    connect(&results, &SessionResults::densityFailed, this, &Pages::complain);
    // Shows a word of the embedding on Choose.
    connect(&m_words, &WordsPanel::wordActivated, this, [this](const Word& word) {
        if (m_state.sentence().trimmed().isEmpty()) {
            m_state.lookAt(word.text());
        }
        m_state.lookAt(word);
        m_window.showPanel(&m_live);
    });
}

/// The report and the dial tell of what was measured for the present settings.
void Pages::connectTradeOff() {
    TradeOffModel& model = m_tradeOff.model();
    GoalSearch& goals = m_tradeOff.goals();
    m_jobs.watch(&model.runner());
    m_jobs.watch(&goals.runner());
    m_jobs.watch(&m_texts.reader());
    connect(&goals, &GoalSearch::changed, this,
            [this, &goals] { m_window.limits().setOnTexts(goals.findings()); });
    connect(&model, &TradeOffModel::changed, this, [this, &model] {
        m_draft.setEvaluations(model.stored());
        m_dial->model().setAttacker(model.attackerSentence());
    });
    connect(m_dial, &DialPanel::attackersRequested, this,
            [this] { m_window.showPanel(&m_tradeOff); });
    // On other words the dial could find a limit missed by which the search went.
    connect(&goals, &GoalSearch::epsilonChosen, this,
            [this] { m_window.measurement().measureWordsOfRuns(); });
    connect(&m_dial->model().search(), &LimitsModel::searchOnTextsRequested, this, [this, &goals] {
        m_window.showPanel(&m_tradeOff);
        if (!goals.isRunning()) {
            goals.find();
        }
    });
}

/// What the present setting does to the analyst's own texts is shown by the dial, Words and the
/// report; mechanisms are compared on them, and an attacker on the sentence of Choose expects their
/// words.
void Pages::connectOwnTexts() {
    auto* own = new QuickMeasurement(m_state, m_jobs, measureAlone, QuickMeasurement::Subject::text,
                                     &m_tradeOff);
    connect(&m_dial->model(), &DialModel::ownTextRequested, own, &QuickMeasurement::measure);
    connect(own, &QuickMeasurement::changed, this, [this, own] {
        const auto known = m_texts.measuredBy(own->result());
        const auto measured = own->isCurrent() ? known : std::nullopt;
        m_draft.setOwnText(measured);
        m_dial->model().setOwnText(measured);
        m_dial->model().setUnmeasuredText(
            known && own->isToAskFor() ? std::optional(UnmeasuredText{known->file, known->tokens})
                                       : std::nullopt);
        m_words.setOwnTexts(measured, known.has_value());
    });
    connect(&m_texts, &LabelledSource::coverageChanged, this, [this, own] {
        const QString file = m_texts.texts() ? toQString(m_texts.texts()->data.file) : QString();
        own->setText(m_texts.words());
        m_mechanisms.setTexts(m_texts.words(), file);
        const auto prior = m_texts.prior();
        m_live.guesses().setPrior(
            prior ? std::make_shared<const live::AttackerPrior>(live::AttackerPrior{*prior, file})
                  : nullptr);
    });
}

/// Puts the analyst's own texts into the bar of the window: how much of them the embedding knows,
/// and a menu that chooses others, weights the dial by their words, shows them in Texts and
/// drops them.
void Pages::addDataMenu() {
    SettingBar& bar = m_window.settingBar();
    auto* menu = new QMenu(&m_tradeOff);
    menu->setObjectName(QStringLiteral("dataMenu"));
    const auto add = [menu](const char* objectName, const QString& text) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(objectName));
        return action;
    };
    QAction* open = add("openDataAction", {});
    connect(open, &QAction::triggered, &m_tradeOff, &TradeOffPanel::chooseFile);
    connect(add("openDataFolderAction", tr("Open a &folder of texts…")), &QAction::triggered,
            &m_tradeOff, &TradeOffPanel::chooseFolder);
    menu->addSeparator();
    QAction* weigh = add("weighDialAction", tr("&Weight the dial by their words"));
    weigh->setCheckable(true);
    connect(weigh, &QAction::triggered, this,
            [this](bool isShown) { m_dial->model().showOwnText(isShown); });
    connect(add("showTradeOffAction", tr("Show in &Texts")), &QAction::triggered, this,
            [this] { m_window.showPanel(&m_tradeOff); });
    menu->addAction(m_window.actions().release);
    menu->addSeparator();
    QAction* drop = add("dropDataAction", tr("&Drop these texts and what was measured on them"));
    connect(drop, &QAction::triggered, &m_tradeOff.model(), &TradeOffModel::dropTexts);
    bar.offerData(*menu);

    const auto follow = [this, &bar, open, weigh, drop] {
        bar.showData(m_texts.isReading() ? tr("reading…") : m_texts.shortText(),
                     m_texts.unknownText());
        const bool hasTexts = m_texts.texts() != nullptr;
        open->setText(hasTexts ? tr("&Open other texts…") : tr("&Open texts…"));
        weigh->setEnabled(hasTexts);
        weigh->setChecked(hasTexts && m_dial->model().isOwnTextWanted());
        drop->setEnabled(hasTexts);
    };
    connect(&m_texts, &LabelledSource::changed, &bar, follow);
    connect(&m_texts, &LabelledSource::coverageChanged, &bar, follow);
    connect(&m_texts, &LabelledSource::failed, this, [this](const Error& error) {
        if (error.code != ErrorCode::cancelled) {
            m_window.showPanel(&m_tradeOff);  // where it says why
        }
    });
    // The dial has the same choice as a link.
    connect(menu, &QMenu::aboutToShow, &bar, follow);
    follow();
}

/// The report offers the odds of the two words of the details.
void Pages::connectReport() {
    m_jobs.watch(&m_draft.exporter());
    m_jobs.watch(&m_draft.composer());
    const auto offer = [this] {
        const QString first = m_promise.firstWord();
        m_draft.setPair(first.isEmpty() ? std::nullopt
                                        : std::optional(calibration::NamedPair(
                                              toStd(first), toStd(m_promise.secondWord()))));
    };
    connect(&m_promise, &GuaranteeModel::promiseChanged, &m_draft, offer);
    offer();
}

void Pages::connectSession() {
    auto* session = new SessionFile(m_state, m_draft, &m_window, [this] {
        commitTyping(m_window);
        m_report.commitTexts();
    });
    EmbeddingLoader& loader = m_setup.loader();
    m_jobs.watch(&session->reader());
    connect(session, &SessionFile::changed, this,
            [this, session] { m_window.setSession(session->name(), session->isModified()); });
    connect(session, &SessionFile::noticed, &m_window, &MainWindow::present);
    connect(session, &SessionFile::withdrawn, &m_window, &MainWindow::withdraw);
    connect(session, &SessionFile::embeddingWanted, &m_window, &MainWindow::openEmbedding);
    connect(&m_window, &MainWindow::sessionRequested, session, &SessionFile::open);
    connect(&m_window, &MainWindow::openingOther, session, &SessionFile::forgetPending);
    connect(&loader, &EmbeddingLoader::failed, session,
            [session](const QString& /*path*/, const Error& error) {
                if (error.code == ErrorCode::cancelled) {
                    session->forgetPending();
                }
            });
    connect(session, &SessionFile::saved, this,
            [this](const QString& name) { m_window.showMessage(tr("%1 saved").arg(name)); });
    connect(session, &SessionFile::resultsRestored, this,
            [this](const calibration::RunHandle& run) {
                if (const auto& selection = run->provenance.selection) {
                    m_state.wordSources().remember(run->request.options.words, *selection);
                }
                m_curves.model().restore(run);
            });
    TradeOffModel& tradeOff = m_tradeOff.model();
    connect(session, &SessionFile::tradeOffRestored, &tradeOff, &TradeOffModel::restore);
    connect(&tradeOff, &TradeOffModel::changed, session,
            [session, &tradeOff] { session->setTradeOff(tradeOff.kept()); });
    // There is no way back from a session to the settings before it was opened.
    connect(session, &SessionFile::restored, this, [this] { m_window.history().forget(); });
    connect(m_window.actions().saveSession, &QAction::triggered, session, &SessionFile::save);
    connect(m_window.actions().saveSessionAs, &QAction::triggered, session, &SessionFile::saveAs);
    m_window.setCloseGuard([session](bool opensOther) { return session->mayClose(opensOther); });
    session->offerSession();
    // Loading takes the line of the window for itself, and most windows begin with loading.
    connect(&loader, &EmbeddingLoader::opened, session, &SessionFile::offerSession,
            Qt::SingleShotConnection);
}

}  // namespace

std::unique_ptr<MainWindow> createWindow(const LoadFunctions& functions) {
    auto window = std::make_unique<MainWindow>(functions);
    new Pages(*window);  // belongs to it
    window->restoreOpen();
    // Panels have set their defaults while they were made.
    window->history().forget();
    return window;
}

QString startFile(const QStringList& arguments) {
    const QString name = arguments.size() == 2 ? arguments.at(1) : EmbeddingLoader::sampleName();
    const QFileInfo file(name);
    const bool builtIn =
        arguments.size() < 2 || (EmbeddingLoader::isBuiltIn(name) && !file.exists());
    return builtIn ? name : file.absoluteFilePath();
}

void openStartFile(MainWindow& window, const QStringList& arguments) {
    window.state().edit(&AnalysisSettings::choose, mechanism::Tem{});
    window.history().forget();
    // When the page is there, what is typed goes into its text.
    QObject::connect(
        &window.state(), &AnalysisState::embeddingChanged, &window,
        [&window] {
            const auto* page = qobject_cast<const Panel*>(window.tabs().currentWidget());
            if (page != nullptr && page->handles(PanelCommand::focusSentence)) {
                window.actions().focusSentence->trigger();
            }
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    window.open(startFile(arguments));
}

void applyRememberedPreferences() {
    Preferences::load().apply();
}

}  // namespace epsilens::ui
