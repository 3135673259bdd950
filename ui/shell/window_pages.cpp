// The pages of the window, and what one of them tells another.

#include <utility>
#include <vector>

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include "ui/curves/curves_panel.h"
#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/help/help_window.h"
#include "ui/live/live_panel.h"
#include "ui/mechanisms/mechanisms_page.h"
#include "ui/plot/xy_plot.h"
#include "ui/present/presentation.h"
#include "ui/report/report_panel.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/space/space_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/limit_state.h"
#include "ui/state/limits_model.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/describe.h"
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

}  // namespace

void MainWindow::addPages() {
    m_live = new live::LivePanel(m_state);
    m_mechanisms = new MechanismsPage(m_state, m_setup->guarantee(), m_jobs);
    m_tradeOff = new TradeOffPanel(m_state);
    m_report = new ReportPanel(m_state, m_results);
    m_curves = new CurvesPanel(m_state);
    m_words = new WordsPanel(m_state, m_results, m_measurement);
    // The path, then what explains.
    m_panels = {m_live,   m_mechanisms,           m_tradeOff, m_report,
                m_curves, newSpacePanel(m_state), m_words};
    for (Panel* panel : m_panels) {
        m_tabs->addTab(panel, panel->title());
        m_tabBar->addTab(panel->title());
    }
    addDial();
    connectCurves();
    connectWords();
    connectTradeOff();
    connectOwnTexts();
    connectReport();

    m_jobs.putFirst(&m_live->model().outputJob());
    m_jobs.watch(&m_live->model().guessJob());
    // The editor of all limits, in the details.
    connect(m_live, &live::LivePanel::limitsRequested, this, [this] {
        m_details->show();
        m_setup->showLimits();
    });
    connect(m_mechanisms, &MechanismsPage::mechanismTaken, this, &MainWindow::showMessage);
    for (const ValueSlider* slider : findChildren<ValueSlider*>()) {
        m_history.followDrags(*slider);
    }
    for (const XyPlot* plot : findChildren<XyPlot*>()) {
        m_history.followDrags(*plot);
    }
}

/// Puts the dial across the top of the window, where every tab is seen below it: large where a text
/// is looked at, low elsewhere. Measures the current setting for it.
void MainWindow::addDial() {
    auto* search = new LimitsModel(m_state, limits(), m_measurement, m_setup);
    auto* model =
        new DialModel(m_state, m_setup->guarantee(), limits(), *search, m_measurement, m_setup);
    addToolBarBreak(Qt::TopToolBarArea);
    m_dialBar = addStrip(tr("Dial"), "dialToolBar");
    m_dial = new DialPanel(*model, m_dialBar);
    m_dialBar->addWidget(m_dial);
    connect(m_tabs, &QTabWidget::currentChanged, m_dial,
            [this](int index) { m_dial->setLarge(index <= 0); });
    connect(m_dial, &DialPanel::promiseHelpRequested, this, [this] {
        showHelp(*this, QStringLiteral("guarantees#looks-private-promises-little"));
        showMessage(tr("The help explains it, in its own window; Esc closes that."));
    });
    // Tab goes as the eye does: from the bar to the tabs and the dial below it, which was made
    // after the panels.
    QWidget* last = stopsOf(*m_setting).back();
    QWidget::setTabOrder(last, m_tabBar);
    last = m_tabBar;
    for (QWidget* stop : stopsOf(*m_dial)) {
        QWidget::setTabOrder(last, stop);
        last = stop;
    }
}

/// The step of the path that follows each of its pages, offered beside the tabs.
void MainWindow::addNextStep() {
    auto* next = described(new QToolButton(m_tabStrip), "nextStepButton", tr("Next step"),
                           tr("Goes on along the path from a text to its release."));
    next->setAutoRaise(true);
    auto* gap = new QWidget(m_tabStrip);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_tabStrip->addWidget(gap);
    m_tabStrip->addWidget(next);
    struct Step {
        Panel* to;  ///< null: to the release
        QString text;
    };
    LabelledSource& texts = m_tradeOff->model().source();
    const auto step = [this, &texts]() -> Step {
        const QWidget* from = m_tabs->currentWidget();
        if (from == m_live) {
            return {m_mechanisms, tr("Next: see what each mechanism promises ▸")};
        }
        if (from == m_mechanisms) {
            return {m_tradeOff, texts.texts() ? tr("Next: measure your own texts ▸")
                                              : tr("Next: open your own texts ▸")};
        }
        if (from == m_tradeOff) {
            return {m_report, tr("Next: write the memo ▸")};
        }
        return from == m_report ? Step{nullptr, tr("Next: release a text ▸")}
                                : Step{m_live, tr("Back to the choice ▸")};
    };
    const auto show = [step, next] { next->setText(step().text); };
    connect(m_tabs, &QTabWidget::currentChanged, next, show);
    connect(&texts, &LabelledSource::changed, next, show);
    connect(next, &QToolButton::clicked, this, [this, step] {
        if (Panel* to = step().to) {
            showPanel(to);
        } else {
            m_releaseAction->trigger();
        }
    });
    show();
}

/// A presentation shows what Choose knows, which is kept up while that tab is in front.
void MainWindow::presentFullScreen() {
    if (auto* open = findChild<Presentation*>()) {
        open->activateWindow();
        return;
    }
    showPanel(m_live);
    auto* presentation = new Presentation(m_dial->model(), m_live->model(), this);
    presentation->showFullScreen();
    presentation->setFocus(Qt::OtherFocusReason);
}

/// The report and the measured words follow the runs of the curves.
void MainWindow::connectCurves() {
    m_jobs.watch(&m_curves->runner());
    m_jobs.watch(&m_curves->refiner());
    const auto showRun = [this] {
        m_report->setRunState(m_curves->obstacle(), m_curves->isRunning());
    };
    connect(m_curves, &CurvesPanel::runStateChanged, m_report, showRun);
    showRun();
    connect(m_report, &ReportPanel::runRequested, m_curves, &CurvesPanel::run);
    connect(m_curves, &CurvesPanel::gridWanted, this, [this] { showPanel(m_curves); });
    connect(m_curves, &CurvesPanel::resultChanged, this, [this] {
        const RunCurvesHandle& result = m_curves->result();
        if (!result || !result->isOf(m_state.embedding())) {
            return;
        }
        m_measurement.followWords(result->run->request.options.words);
        // The report has those of a session already.
        if (!result->isRestored) {
            m_report->draft().setRun(result->run);
        }
    });
}

void MainWindow::connectWords() {
    m_jobs.watch(m_words->exporter());
    m_jobs.watch(&m_results.densityRunner());
    connect(&m_results, &SessionResults::densityFailed, this, [this](const Error& error) {
        if (error.code != ErrorCode::cancelled) {
            present(noticeFor(error));
        }
    });
    // Shows a word of the embedding on Choose.
    connect(m_words, &WordsPanel::wordActivated, this, [this](const Word& word) {
        if (m_state.sentence().trimmed().isEmpty()) {
            m_state.lookAt(word.text());
        }
        m_state.lookAt(word);
        showPanel(m_live);
    });
}

/// The report and the dial tell of what was measured for the present settings.
void MainWindow::connectTradeOff() {
    TradeOffModel& model = m_tradeOff->model();
    GoalSearch& goals = m_tradeOff->goals();
    m_jobs.watch(&model.runner());
    m_jobs.watch(&goals.runner());
    m_jobs.watch(&model.source().reader());
    connect(&goals, &GoalSearch::changed, this,
            [this, &goals] { limits().setOnTexts(goals.findings()); });
    connect(&model, &TradeOffModel::changed, this, [this, &model] {
        m_report->draft().setEvaluations(model.stored());
        m_dial->model().setAttacker(model.attackerSentence());
    });
    connect(m_dial, &DialPanel::attackersRequested, this, [this] { showPanel(m_tradeOff); });
    // On other words the dial could find a limit missed by which the search went.
    connect(&goals, &GoalSearch::epsilonChosen, this,
            [this] { m_measurement.measureWordsOfRuns(); });
    connect(&m_dial->model().search(), &LimitsModel::searchOnTextsRequested, this, [this, &goals] {
        showPanel(m_tradeOff);
        if (!goals.isRunning()) {
            goals.find();
        }
    });
}

/// What the present setting does to the analyst's own texts is shown by the dial, Words and the
/// report; mechanisms are compared on them, and an attacker on the sentence of Choose expects their
/// words.
void MainWindow::connectOwnTexts() {
    LabelledSource& texts = m_tradeOff->model().source();
    auto* own = new QuickMeasurement(m_state, m_jobs, measureAlone, QuickMeasurement::Subject::text,
                                     m_tradeOff);
    connect(&m_dial->model(), &DialModel::ownTextRequested, own, &QuickMeasurement::measure);
    connect(own, &QuickMeasurement::changed, this, [this, own, &texts] {
        const auto known = texts.measuredBy(own->result());
        const auto measured = own->isCurrent() ? known : std::nullopt;
        m_report->draft().setOwnText(measured);
        m_dial->model().setOwnText(measured);
        m_dial->model().setUnmeasuredText(
            known && own->isToAskFor() ? std::optional(UnmeasuredText{known->file, known->tokens})
                                       : std::nullopt);
        m_words->setOwnTexts(measured, known.has_value());
    });
    connect(&texts, &LabelledSource::coverageChanged, this, [this, own, &texts] {
        const QString file = texts.texts() ? toQString(texts.texts()->data.file) : QString();
        own->setText(texts.words());
        m_mechanisms->setTexts(texts.words(), file);
        m_live->model().setPrior(texts.prior(), file);
    });
}

/// Puts the analyst's own texts into the bar of the window: how much of them the embedding knows,
/// and a menu of what can be done about them.
void MainWindow::addDataMenu() {
    LabelledSource& texts = m_tradeOff->model().source();
    auto* menu = new QMenu(m_tradeOff);
    menu->setObjectName(QStringLiteral("dataMenu"));
    QAction* open = add(*menu, "openDataAction", {}, {}, [this] { m_tradeOff->chooseFile(); });
    add(*menu, "openDataFolderAction", tr("Open a &folder of texts…"), {},
        [this] { m_tradeOff->chooseFolder(); });
    menu->addSeparator();
    QAction* weigh = add(*menu, "weighDialAction", tr("&Weight the dial by their words"), {}, {});
    weigh->setCheckable(true);
    connect(weigh, &QAction::triggered, &m_dial->model(), &DialModel::showOwnText);
    add(*menu, "showTradeOffAction", tr("Show in &Texts"), {}, [this] { showPanel(m_tradeOff); });
    menu->addAction(m_releaseAction);
    menu->addSeparator();
    QAction* drop =
        add(*menu, "dropDataAction", tr("&Drop these texts and what was measured on them"), {},
            [this] { m_tradeOff->model().dropTexts(); });
    m_setting->offerData(*menu);

    const auto follow = [this, &texts, open, weigh, drop] {
        m_setting->showData(texts.isReading() ? tr("reading…") : texts.shortText(),
                            texts.unknownText());
        const bool hasTexts = texts.texts() != nullptr;
        open->setText(hasTexts ? tr("&Open other texts…") : tr("&Open texts…"));
        weigh->setEnabled(hasTexts);
        weigh->setChecked(hasTexts && m_dial->model().isOwnTextWanted());
        drop->setEnabled(hasTexts);
    };
    connect(&texts, &LabelledSource::changed, m_setting, follow);
    connect(&texts, &LabelledSource::coverageChanged, m_setting, follow);
    connect(&texts, &LabelledSource::failed, this, [this](const Error& error) {
        if (error.code != ErrorCode::cancelled) {
            showPanel(m_tradeOff);  // where it says why
        }
    });
    // The dial has the same choice as a link.
    connect(menu, &QMenu::aboutToShow, m_setting, follow);
    follow();
}

/// The report offers the odds of the two words of the details.
void MainWindow::connectReport() {
    ReportDraft& draft = m_report->draft();
    m_jobs.watch(&draft.exporter());
    m_jobs.watch(&draft.composer());
    const GuaranteeModel& promise = m_setup->guarantee();
    const auto offer = [&draft, &promise] {
        const QString first = promise.firstWord();
        draft.setPair(first.isEmpty() ? std::nullopt
                                      : std::optional(calibration::NamedPair(
                                            toStd(first), toStd(promise.secondWord()))));
    };
    connect(&promise, &GuaranteeModel::promiseChanged, &draft, offer);
    offer();
}

void MainWindow::connectSession() {
    m_session =
        new SessionFile({m_state, m_report->draft(), *m_curves, m_tradeOff->model()}, this, [this] {
            commitTyping(*this);
            m_report->commitTexts();
        });
    m_jobs.watch(&m_session->reader());
    connect(m_session, &SessionFile::changed, this, [this] {
        setWindowModified(m_session->isModified());
        updateTitle();
    });
    connect(m_session, &SessionFile::noticed, this, &MainWindow::present);
    connect(m_session, &SessionFile::embeddingWanted, this, &MainWindow::openEmbedding);
    connect(m_session, &SessionFile::saved, this,
            [this](const QString& name) { showMessage(tr("%1 saved").arg(name)); });
    // There is no way back from a session to the settings before it was opened.
    connect(m_session, &SessionFile::restored, &m_history, &SettingsHistory::forget);
    m_session->offerSession();
    // Loading takes the line of the window for itself, and most windows begin with loading.
    connect(&m_setup->loader(), &EmbeddingLoader::opened, m_session, &SessionFile::offerSession,
            Qt::SingleShotConnection);
}

}  // namespace epsilens::ui
