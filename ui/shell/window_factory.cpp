#include "ui/shell/window_factory.h"

#include <utility>
#include <vector>

#include <QAction>
#include <QDockWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include "ui/curves/curves_panel.h"
#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/help/help_topics.h"
#include "ui/help/show_help.h"
#include "ui/live/attacker_guesses.h"
#include "ui/live/live_panel.h"
#include "ui/mechanisms/mechanisms_page.h"
#include "ui/plot/epsilon_plot.h"
#include "ui/present/presentation.h"
#include "ui/report/report_panel.h"
#include "ui/setup/embedding_loader.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/field_keys.h"
#include "ui/shell/log_out.h"
#include "ui/shell/main_window.h"
#include "ui/shell/own_data.h"
#include "ui/shell/pin_actions.h"
#include "ui/shell/preferences.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/window_layout.h"
#include "ui/space/space_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/limit_state.h"
#include "ui/state/limits_model.h"
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
    const std::vector<QWidget*> before = stopsOf(bar);
    QWidget* last = before.empty() ? &bar : before.back();
    QWidget::setTabOrder(last, &tabs);
    last = &tabs;
    for (QWidget* stop : stopsOf(dial)) {
        QWidget::setTabOrder(last, stop);
        last = stop;
    }
}

/// Puts the dial across the top of the window, where every tab is seen below it: large where a text
/// is looked at, low elsewhere, and away without an embedding. Measures the current setting for it.
/// The window owns it.
DialPanel& addDial(MainWindow& window) {
    AnalysisState& state = window.state();
    auto& setup = *window.findChild<SetupPanel*>();
    QuickMeasurement& measurement = window.measurement();
    auto* search = new LimitsModel(state, setup.limits(), measurement, &setup);
    auto* model =
        new DialModel(state, setup.guarantee(), setup.limits(), *search, measurement, &setup);

    auto* bar = new QToolBar(DialPanel::tr("Dial"), &window);
    bar->setObjectName(QStringLiteral("dialToolBar"));
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    auto* dial = new DialPanel(*model, bar);
    bar->addWidget(dial);
    explainControls(*bar);
    window.addToolBarBreak(Qt::TopToolBarArea);
    window.addToolBar(Qt::TopToolBarArea, bar);
    // What the dial shows goes with the set-up, which the window takes down first.
    QObject::connect(&setup, &QObject::destroyed, bar, [bar] { delete bar; });

    const auto show = [&state, bar] { bar->setVisible(state.embedding() != nullptr); };
    QObject::connect(&state, &AnalysisState::embeddingChanged, bar, show);
    show();
    const auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("tabs"));
    QObject::connect(tabs, &QTabWidget::currentChanged, dial,
                     [dial](int index) { dial->setLarge(index <= 0); });
    QObject::connect(window.actions().focusEpsilon, &QAction::triggered, dial,
                     &DialPanel::focusEpsilon);
    QObject::connect(dial, &DialPanel::promiseHelpRequested, &window, [&window] {
        showHelp(window, QStringLiteral("guarantees#looks-private-promises-little"));
        window.showMessage(
            MainWindow::tr("The help explains it, in its own window; Esc closes that."));
    });
    letTabFollow(*window.findChild<SettingBar*>(),
                 *window.findChild<QTabBar*>(QStringLiteral("tabBar")), *dial);
    return *dial;
}

/// The report follows the runs of the curves.
void connectReport(MainWindow& window, CurvesPanel& curves, ReportPanel& report) {
    CurvesModel& model = curves.model();
    const auto showRun = [&model, &report] {
        report.setRunState(model.obstacle(), model.isRunning());
    };
    QObject::connect(&curves, &CurvesPanel::runStateChanged, &report, showRun);
    QObject::connect(&model, &CurvesModel::runningChanged, &report, showRun);
    QObject::connect(&report, &ReportPanel::runRequested, &curves, &CurvesPanel::run);
    QObject::connect(&curves, &CurvesPanel::resultChanged, &report, [&window, &curves, &report] {
        const RunCurvesHandle& result = curves.result();
        // The report has those of a session already.
        if (result && !result->isRestored && result->isOf(window.state().embedding())) {
            report.draft().setRun(result->run);
        }
    });
    window.jobs().watch(&report.draft().exporter());
    window.jobs().watch(&report.draft().composer());
    showRun();
}

/// The report offers the odds of the two words of the details.
void offerPair(MainWindow& window, ReportDraft& draft) {
    const GuaranteeModel& promise = window.findChild<SetupPanel*>()->guarantee();
    const auto offer = [&promise, &draft] {
        const QString first = promise.firstWord();
        draft.setPair(first.isEmpty() ? std::nullopt
                                      : std::optional(calibration::NamedPair(
                                            toStd(first), toStd(promise.secondWord()))));
    };
    QObject::connect(&promise, &GuaranteeModel::promiseChanged, &draft, offer);
    offer();
}

void showResults(const calibration::RunHandle& run, AnalysisState& state, CurvesModel& curves) {
    if (run->provenance.selection) {
        state.wordSources().remember(run->request.options.words, *run->provenance.selection);
    }
    curves.restore(run);
}

void connectSession(MainWindow& window, CurvesPanel& curves, ReportPanel& report,
                    TradeOffModel& tradeOff) {
    auto* session = new SessionFile(window.state(), report.draft(), &window);
    const auto showTitle = [&window, session] {
        window.setSession(session->name(), session->isModified());
    };
    QObject::connect(session, &SessionFile::changed, &window, showTitle);
    QObject::connect(session, &SessionFile::noticed, &window, &MainWindow::present);
    QObject::connect(session, &SessionFile::withdrawn, &window, &MainWindow::withdraw);
    QObject::connect(session, &SessionFile::embeddingWanted, &window, &MainWindow::openEmbedding);
    QObject::connect(&window, &MainWindow::openingOther, session, &SessionFile::forgetPending);
    QObject::connect(window.findChild<EmbeddingLoader*>(), &EmbeddingLoader::failed, session,
                     [session](const QString& /*path*/, const Error& error) {
                         if (error.code == ErrorCode::cancelled) {
                             session->forgetPending();
                         }
                     });
    window.jobs().watch(&session->reader());
    QObject::connect(session, &SessionFile::saved, &window, [&window](const QString& name) {
        window.showMessage(MainWindow::tr("%1 saved").arg(name));
    });
    QObject::connect(session, &SessionFile::resultsRestored, &curves,
                     [&window, &curves](const calibration::RunHandle& run) {
                         showResults(run, window.state(), curves.model());
                     });
    QObject::connect(session, &SessionFile::tradeOffRestored, &tradeOff, &TradeOffModel::restore);
    QObject::connect(&tradeOff, &TradeOffModel::changed, session,
                     [session, &tradeOff] { session->setTradeOff(tradeOff.kept()); });
    // There is no way back from a session to the settings before it was opened.
    QObject::connect(session, &SessionFile::restored, &window,
                     [&window] { window.history().forget(); });
    QObject::connect(&window, &MainWindow::sessionRequested, session, &SessionFile::open);
    const WindowActions& actions = window.actions();
    const auto takeTyping = [&window, &report] {
        commitTyping(window);
        report.commitTexts();
    };
    for (QAction* action : {actions.saveSession, actions.saveSessionAs}) {
        QObject::connect(action, &QAction::triggered, session, takeTyping);
    }
    QObject::connect(actions.saveSession, &QAction::triggered, session, &SessionFile::save);
    QObject::connect(actions.saveSessionAs, &QAction::triggered, session, &SessionFile::saveAs);
    window.setCloseGuard([session, takeTyping](bool opensOther) {
        takeTyping();
        return session->mayClose(opensOther);
    });
    new LogOut(*session, takeTyping);
    session->offerSession();
    // Loading takes the line of the window for itself, and most windows begin with loading.
    QObject::connect(window.findChild<EmbeddingLoader*>(), &EmbeddingLoader::opened, session,
                     &SessionFile::offerSession, Qt::SingleShotConnection);
}

/// Shows a word of the embedding on Choose.
void showInLive(MainWindow& window, Panel& live, const Word& word) {
    AnalysisState& state = window.state();
    if (state.sentence().trimmed().isEmpty()) {
        state.lookAt(word.text());
    }
    state.lookAt(word);
    window.showPanel(&live);
}

/// The editor of all limits, in the details.
void showLimits(MainWindow& window) {
    window.findChild<QDockWidget*>(QStringLiteral("setupDock"))->show();
    window.findChild<SetupPanel*>()->showLimits();
}

WordsPanel& makeWords(MainWindow& window, CurvesPanel& curves, Panel& live) {
    SessionResults& results = window.results();
    auto* words = new WordsPanel(window.state(), results, window.measurement());
    window.jobs().watch(words->exporter());
    window.jobs().watch(&results.densityRunner());
    QObject::connect(&results, &SessionResults::densityFailed, &window,
                     [&window](const Error& error) {
                         if (error.code != ErrorCode::cancelled) {
                             window.present(noticeFor(error));
                         }
                     });
    QObject::connect(&curves, &CurvesPanel::resultChanged, &window, [&window, &curves] {
        const RunCurvesHandle& result = curves.result();
        if (result && result->isOf(window.state().embedding())) {
            window.measurement().followRun(*result->run);
        }
    });
    QObject::connect(words, &WordsPanel::wordActivated, &window,
                     [&window, &live](const Word& word) { showInLive(window, live, word); });
    return *words;
}

TradeOffPanel* makeTradeOff(MainWindow& window) {
    auto* panel = new TradeOffPanel(window.state());
    window.jobs().watch(&panel->model().runner());
    window.jobs().watch(&panel->goals().runner());
    window.jobs().watch(&panel->model().source().reader());
    QObject::connect(&panel->goals(), &GoalSearch::changed, &window,
                     [&window, panel] { window.limits().setOnTexts(panel->goals().findings()); });
    return panel;
}

/// Compares mechanisms on the analyst's own texts where there are any.
MechanismsPage* makeMechanisms(MainWindow& window, const LabelledSource& source) {
    auto* page = new MechanismsPage(window.state(), window.findChild<SetupPanel*>()->guarantee(),
                                    window.jobs());
    QObject::connect(page, &MechanismsPage::mechanismTaken, &window, &MainWindow::showMessage);
    QObject::connect(&source, &LabelledSource::coverageChanged, page, [&source, page] {
        page->setTexts(source.words(),
                       source.texts() ? toQString(source.texts()->data.file) : QString());
    });
    return page;
}

/// The step of the path that follows each of its pages, offered beside the tabs.
void addNextStep(MainWindow& window, Panel& live, Panel& mechanisms, TradeOffPanel& tradeOff,
                 Panel& report) {
    auto* strip = window.findChild<QToolBar*>(QStringLiteral("tabToolBar"));
    auto* next = new QToolButton(strip);
    describe(*next, "nextStepButton", MainWindow::tr("Next step"),
             MainWindow::tr("Goes on along the path from a text to its release."));
    next->setAutoRaise(true);
    auto* gap = new QWidget(strip);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    strip->addWidget(gap);
    strip->addWidget(next);
    const auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("tabs"));
    const LabelledSource& source = tradeOff.model().source();
    const auto show = [&live, &mechanisms, &tradeOff, &report, &source, tabs, next] {
        const QWidget* page = tabs->currentWidget();
        const bool hasTexts = source.texts() != nullptr;
        next->setText(page == &live ? MainWindow::tr("Next: see what each mechanism promises ▸")
                      : page == &mechanisms
                          ? (hasTexts ? MainWindow::tr("Next: measure your own texts ▸")
                                      : MainWindow::tr("Next: open your own texts ▸"))
                      : page == &tradeOff ? MainWindow::tr("Next: write the memo ▸")
                      : page == &report   ? MainWindow::tr("Next: release a text ▸")
                                          : MainWindow::tr("Back to the choice ▸"));
    };
    QObject::connect(tabs, &QTabWidget::currentChanged, next, show);
    QObject::connect(&source, &LabelledSource::changed, next, show);
    QObject::connect(next, &QToolButton::clicked, &window,
                     [&window, &live, &mechanisms, &tradeOff, &report, tabs] {
                         const QWidget* page = tabs->currentWidget();
                         if (page == &report) {
                             window.actions().release->trigger();
                             return;
                         }
                         window.showPanel(page == &live         ? &mechanisms
                                          : page == &mechanisms ? static_cast<Panel*>(&tradeOff)
                                          : page == &tradeOff   ? &report
                                                                : &live);
                     });
    show();
}

/// An attacker on the sentence of Choose expects the words of the analyst's own texts.
void expectOwnTexts(const LabelledSource& source, live::AttackerGuesses& guesses) {
    QObject::connect(&source, &LabelledSource::coverageChanged, &guesses, [&source, &guesses] {
        live::AttackerPriorHandle expected;
        if (const auto prior = source.prior()) {
            expected = std::make_shared<const live::AttackerPrior>(
                live::AttackerPrior{*prior, toQString(source.texts()->data.file)});
        }
        guesses.setPrior(expected);
    });
}

/// The report and the dial tell of what was measured for the present settings.
void connectTradeOff(MainWindow& window, TradeOffPanel& tradeOff, ReportPanel& report,
                     DialPanel& dial) {
    const TradeOffModel& model = tradeOff.model();
    const auto tell = [&model, &report] { report.draft().setEvaluations(model.stored()); };
    QObject::connect(&model, &TradeOffModel::changed, &report, tell);
    const auto say = [&model, &dial] { dial.model().setAttacker(model.attackerSentence()); };
    QObject::connect(&model, &TradeOffModel::changed, &dial, say);
    QObject::connect(&dial, &DialPanel::attackersRequested, &tradeOff,
                     [&window, &tradeOff] { window.showPanel(&tradeOff); });
    // On other words the dial could find a limit missed by which the search went.
    QObject::connect(&tradeOff.goals(), &GoalSearch::epsilonChosen, &window,
                     [&window] { window.measurement().measureWordsOfRuns(); });
    QObject::connect(&dial.model().search(), &LimitsModel::searchOnTextsRequested, &tradeOff,
                     [&window, &tradeOff] {
                         window.showPanel(&tradeOff);
                         if (!tradeOff.goals().isRunning()) {
                             tradeOff.goals().find();
                         }
                     });
}

/// What the present setting does to the analyst's own texts is shown by the dial, Words and the
/// report.
void measureOwnTexts(MainWindow& window, TradeOffPanel& tradeOff, DialPanel& dial,
                     WordsPanel& words, ReportPanel& report) {
    const LabelledSource& source = tradeOff.model().source();
    auto* own = new QuickMeasurement(window.state(), window.jobs(), calibration::measure,
                                     QuickMeasurement::Subject::text, &tradeOff);
    QObject::connect(&source, &LabelledSource::coverageChanged, own,
                     [own, &source] { own->setText(source.words()); });
    QObject::connect(&dial.model(), &DialModel::ownTextRequested, own, &QuickMeasurement::measure);
    QObject::connect(own, &QuickMeasurement::changed, &dial,
                     [own, &dial, &words, &report, &source] {
                         const auto known = source.measuredBy(own->result());
                         const auto measured = own->isCurrent() ? known : std::nullopt;
                         report.draft().setOwnText(measured);
                         dial.model().setOwnText(measured);
                         dial.model().setUnmeasuredText(
                             known && own->isToAskFor()
                                 ? std::optional(UnmeasuredText{known->file, known->tokens})
                                 : std::nullopt);
                         words.model().setOwnTexts(measured, known.has_value());
                     });
}

/// A presentation shows what Choose knows, which is kept up while that tab is in front.
void connectPresentation(MainWindow& window, live::LivePanel& live, DialPanel& dial) {
    QObject::connect(window.actions().present, &QAction::triggered, &live, [&window, &live, &dial] {
        if (auto* open = window.findChild<Presentation*>()) {
            open->activateWindow();
            return;
        }
        window.showPanel(&live);
        auto* presentation = new Presentation(dial.model(), live.model(), live.guesses(), &window);
        presentation->showFullScreen();
        presentation->setFocus(Qt::OtherFocusReason);
    });
}

}  // namespace

std::unique_ptr<MainWindow> createWindow(const LoadFunctions& functions) {
    auto window = std::make_unique<MainWindow>(functions);
    AnalysisState& state = window->state();
    auto* live = new live::LivePanel(state);
    QObject::connect(live, &live::LivePanel::limitsRequested, window.get(),
                     [shown = window.get()] { showLimits(*shown); });
    window->jobs().putFirst(&live->model().outputJob());
    window->jobs().watch(&live->guesses().job());
    auto* curves = new CurvesPanel(state);
    window->jobs().watch(curves->runner());
    window->jobs().watch(curves->refiner());
    QObject::connect(curves, &CurvesPanel::gridWanted, window.get(),
                     [shown = window.get(), curves] { shown->showPanel(curves); });
    WordsPanel& words = makeWords(*window, *curves, *live);
    TradeOffPanel* tradeOff = makeTradeOff(*window);
    auto* report = new ReportPanel(state, window->results());
    MechanismsPage* mechanisms = makeMechanisms(*window, tradeOff->model().source());
    // The path, then what explains.
    for (Panel* panel : std::initializer_list<Panel*>{live, mechanisms, tradeOff, report, curves,
                                                      new SpacePanel(state), &words}) {
        window->addPanel(panel);
    }
    addNextStep(*window, *live, *mechanisms, *tradeOff, *report);
    DialPanel& dial = addDial(*window);
    connectPins(*window);
    connectReport(*window, *curves, *report);
    offerPair(*window, report->draft());
    connectTradeOff(*window, *tradeOff, *report, dial);
    showOwnData(*window, *tradeOff, dial);
    measureOwnTexts(*window, *tradeOff, dial, words, *report);
    expectOwnTexts(tradeOff->model().source(), live->guesses());
    connectPresentation(*window, *live, dial);
    connectSession(*window, *curves, *report, tradeOff->model());
    for (const ValueSlider* slider : window->findChildren<ValueSlider*>()) {
        window->history().followDrags(*slider);
    }
    for (const EpsilonPlot* plot : window->findChildren<EpsilonPlot*>()) {
        window->history().followDrags(*plot);
    }
    restoreOpen(*window);
    // Panels have set their defaults while they were made.
    window->history().forget();
    return window;
}

void applyRememberedPreferences() {
    Preferences::load().apply();
}

}  // namespace epsilens::ui
