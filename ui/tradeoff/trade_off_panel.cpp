#include "ui/tradeoff/trade_off_panel.h"

#include <algorithm>

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "core/report/evaluation_parts.h"
#include "ui/tradeoff/data_bar.h"
#include "ui/tradeoff/frontier_plot.h"
#include "ui/tradeoff/goal_bar.h"
#include "ui/tradeoff/goal_search.h"
#include "ui/tradeoff/measure_bar.h"
#include "ui/tradeoff/measured_plot.h"
#include "ui/tradeoff/numbers_view.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

TradeOffPanel::TradeOffPanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_model(*new TradeOffModel(state, this)),
      m_notice(new NoticeLine(this)),
      m_data(new DataBar(m_model.source(), this)),
      m_measure(new MeasureBar(m_model, this)),
      m_goals(*new GoalSearch(m_model, experiment::recommendWithin, this)),
      m_pages(new QStackedWidget(this)),
      m_emptyText(emptyStateLabel({}, this)),
      m_emptyButton(new QPushButton(this)),
      m_aloneButton(described(new QPushButton(tr("Measure this ε alone, sooner done"), this),
                              "measureAlonePushButton", tr("Measure your setting alone"),
                              tr("Measures at your ε and λ only, which takes a fraction of the "
                                 "time of the grid."))),
      m_sentence(new QLabel(this)),
      m_origin(hintLabel({}, this)),
      m_utility(new MeasuredPlot(tr("Texts in the right class against epsilon"), this)),
      m_risk(new MeasuredPlot(tr("Words guessed against epsilon"), this)),
      m_frontier(new FrontierPlot(this)),
      m_numbers(new NumbersView(this)) {
    setObjectName(QStringLiteral("tradeOffPanel"));
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildResults());
    constexpr int kLowestResults = 280;
    followFont(m_pages, [pages = m_pages](const QFontMetrics& metrics) {
        pages->setMinimumHeight(scaledToText(kLowestResults, metrics));
    });
    auto* column = new QWidget(this);
    auto* content = new QVBoxLayout(column);
    content->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    content->setSpacing(kRowSpacing);
    content->addWidget(m_data);
    content->addWidget(buildSetUp());
    content->addWidget(m_pages, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_notice);
    all->addWidget(scrolledPage(column, this), 1);
    connectModel();
    showPlan();
    showReading();
}

QString TradeOffPanel::title() const {
    return tr("Texts");
}

void TradeOffPanel::execute(PanelCommand command) {
    if (command == PanelCommand::run) {
        measureOrOpen();
    }
}

QWidget* TradeOffPanel::firstControl() const {
    return m_model.source().texts() ? m_data->openButton() : m_emptyButton;
}

QWidget* TradeOffPanel::buildSetUp() {
    auto* setUp = new QWidget(this);
    auto* rows = new QVBoxLayout(setUp);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kRowSpacing);
    rows->addWidget(m_data->columns());
    rows->addWidget(m_measure);
    rows->addWidget(new GoalBar(m_goals, setUp));
    return setUp;
}

QWidget* TradeOffPanel::buildEmptyState() {
    m_emptyText->setObjectName(QStringLiteral("tradeOffEmptyLabel"));
    m_emptyButton->setObjectName(QStringLiteral("tradeOffEmptyPushButton"));
    m_emptyButton->setAccessibleDescription(
        tr("Opens labelled texts, and then measures over the grid (F5)."));
    connect(m_emptyButton, &QPushButton::clicked, this, &TradeOffPanel::measureOrOpen);
    connect(m_aloneButton, &QPushButton::clicked, &m_model, &TradeOffModel::measurePresent);
    QWidget* page = emptyStatePage(m_emptyText, m_emptyButton, this);
    auto& column = static_cast<QVBoxLayout&>(*page->layout());
    const int place = column.indexOf(m_emptyButton);
    column.removeWidget(m_emptyButton);
    auto* buttons = new QBoxLayout(QBoxLayout::LeftToRight);
    buttons->setSpacing(kRowSpacing);
    for (QPushButton* button : {m_emptyButton, m_aloneButton}) {
        buttons->addWidget(button, 0, Qt::AlignHCenter);
    }
    column.insertLayout(place, buttons);
    column.setAlignment(buttons, Qt::AlignHCenter);
    followFont(page, [buttons](const QFontMetrics& metrics) {
        buttons->setDirection(isLargeText(metrics) ? QBoxLayout::TopToBottom
                                                   : QBoxLayout::LeftToRight);
    });
    return page;
}

QWidget* TradeOffPanel::buildResults() {
    m_sentence->setObjectName(QStringLiteral("tradeOffSentenceLabel"));
    m_sentence->setTextFormat(Qt::PlainText);  // names of classes stand in it
    m_sentence->setWordWrap(true);
    keepRoomForTwoLines(m_sentence);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_origin->setObjectName(QStringLiteral("tradeOffOriginLabel"));
    m_origin->setWordWrap(true);
    m_frontier->setObjectName(QStringLiteral("frontierPlot"));
    auto* views = new QTabWidget(this);
    views->setObjectName(QStringLiteral("tradeOffViews"));
    views->setAccessibleName(tr("Views of the trade-off"));
    views->setDocumentMode(true);
    guardWheel(views->tabBar());
    views->addTab(buildPlots(), tr("Against ε"));
    views->addTab(m_frontier, tr("Usefulness against risk"));
    views->addTab(m_numbers, tr("Numbers"));
    auto* page = new QWidget(this);
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(views, 1);
    rows->addWidget(m_sentence);
    rows->addWidget(m_origin);
    return page;
}

QWidget* TradeOffPanel::buildPlots() {
    m_utility->setObjectName(QStringLiteral("utilityPlot"));
    m_risk->setObjectName(QStringLiteral("riskPlot"));
    auto* plots = new QWidget(this);
    auto* row = new QHBoxLayout(plots);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelMargin);
    row->addWidget(m_utility, 1);
    row->addWidget(m_risk, 1);
    AnalysisState& state = m_model.state();
    for (MeasuredPlot* plot : {m_utility, m_risk}) {
        MeasuredPlot* other = plot == m_utility ? m_risk : m_utility;
        connect(plot, &MeasuredPlot::pointChosen, this, &TradeOffPanel::choosePoint);
        connect(plot, &EpsilonPlot::epsilonMoved, &state, [&state](double epsilon) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        });
        connect(plot, &PlotWidget::viewChanged, other,
                [plot, other] { other->showEpsilons(plot->shownEpsilons()); });
    }
    return plots;
}

void TradeOffPanel::connectModel() {
    connect(&m_model, &TradeOffModel::planChanged, this, &TradeOffPanel::showPlan);
    connect(&m_model, &TradeOffModel::runningChanged, this, [this] {
        showPlan();
        showStateNotice();
        showOrigin();
    });
    connect(&m_model, &TradeOffModel::resultChanged, this, &TradeOffPanel::showResult);
    connect(&m_model, &TradeOffModel::stalenessChanged, this, [this] {
        showStateNotice();
        showReading();
    });
    const auto showFailure = [this](const Error& error) {
        showStateNotice();
        if (error.code != ErrorCode::cancelled) {
            m_notice->present(noticeFor(error));
        }
    };
    connect(&m_model, &TradeOffModel::failed, this, showFailure);
    connect(&m_model.source(), &LabelledSource::failed, this, showFailure);
    connect(m_frontier, &FrontierPlot::cellChosen, &m_model, &TradeOffModel::choose);
    AnalysisState& state = m_model.state();
    state.onChange(&AnalysisSettings::epsilon, this, &TradeOffPanel::showReading);
    state.onChange(&AnalysisSettings::chosen, this, &TradeOffPanel::showReading);
    state.onChange(&AnalysisSettings::figureLimits, this, [this] {
        m_shownFamily.reset();  // limits stand in the plots
        showReading();
    });
}

void TradeOffPanel::chooseFile() {
    m_data->chooseFile();
}

void TradeOffPanel::chooseFolder() {
    m_data->chooseFolder();
}

void TradeOffPanel::measureOrOpen() {
    if (!m_model.source().texts()) {
        chooseFile();
    } else {
        m_model.measure();
    }
}

void TradeOffPanel::showPlan() {
    const bool hasTexts = m_model.source().texts() != nullptr;
    m_measure->setVisible(hasTexts);
    m_data->setVisible(hasTexts);
    const bool isReading = m_model.source().reader().isRunning();
    const QString obstacle = m_model.obstacle();
    m_emptyText->setText(
        m_model.isRunning() ? tr("Measuring…")
        : isReading         ? tr("Reading…")
        : !hasTexts
            ? tr("What is your text still good for, and what does an attacker still learn? Texts "
                 "with their classes or authors answer both, for each ε.")
        : obstacle.isEmpty()
            ? tr("Measuring shows how well a classifier still learns from the "
                 "released texts, and how many of their words an attacker guesses.")
            : obstacle);
    const bool isOffered = !m_model.isRunning() && !isReading && (!hasTexts || obstacle.isEmpty());
    if (!isOffered && m_emptyButton->hasFocus()) {
        // Cancel, while there is something to cancel.
        (m_model.isRunning() ? m_measure->button() : m_data->openButton())->setFocus();
    }
    m_emptyButton->setVisible(isOffered);
    m_emptyButton->setText(hasTexts ? tr("Measure") : tr("Open texts…"));
    m_aloneButton->setVisible(isOffered && hasTexts && !isOfOneSetting(m_model.options()));
}

void TradeOffPanel::showResult() {
    const TradeOffResultHandle& result = m_model.result();
    const QWidget* focused = QApplication::focusWidget();
    const bool hadFocus = focused != nullptr && m_pages->currentWidget()->isAncestorOf(focused);
    m_pages->setCurrentIndex(result ? 1 : 0);
    if (hadFocus && !m_pages->currentWidget()->isAncestorOf(focused)) {
        m_data->openButton()->setFocus();
    }
    m_frontier->setResult(result);
    m_numbers->setResult(result, m_model.present());
    m_shownFamily.reset();
    showOrigin();
    showReading();
}

void TradeOffPanel::showOrigin() {
    if (!m_model.result()) {
        return;
    }
    const experiment::EvaluationSummary& summary = m_model.result()->summary();
    QStringList sentences;
    for (const std::string& sentence : report::dataSentences(summary)) {
        sentences.append(toQString(sentence));
    }
    m_origin->setToolTip(sentences.join(QLatin1Char('\n')));
    const QString state =
        summary.partial && m_model.isRunning() ? tr("Partial: the measurement goes on. ")
        : summary.partial                      ? tr("Partial: cancelled before the end. ")
        : isOfOneSetting(summary.options)      ? tr("One setting alone; Measure adds the grid. ")
                                               : QString();
    m_origin->setText(state +
                      tr("A click on a point takes its ε and λ. %1 documents, %2 repeats, seed %3. "
                         "Bars: 95% intervals. That no better attacker was found is no guarantee.")
                          .arg(counted(summary.data.documents), counted(summary.options.repeats),
                               QString::number(summary.options.seed)));
}

void TradeOffPanel::choosePoint(double epsilon) {
    const TradeOffResult& result = *m_model.result();
    for (const std::size_t cell : result.families[*m_shownFamily].cells) {
        if (result.summary().cells[cell].epsilon == epsilon) {
            m_model.choose(cell);
            return;
        }
    }
}

void TradeOffPanel::showFamily() {
    const TradeOffResultHandle& result = m_model.result();
    if (result && m_shownFamily != m_model.family()) {
        m_shownFamily = m_model.family();
        const auto& limits = m_model.state().settings().figureLimits;
        m_utility->setCurves(utilityCurves(*result, *m_shownFamily, limits));
        m_risk->setCurves(riskCurves(*result, *m_shownFamily, limits));
        m_utility->setVisible(!result->summary().original.empty());
        const experiment::AttackResults* const attack =
            experiment::attackOf(result->summary(), experiment::Task::reconstruct);
        m_risk->setVisible(attack != nullptr &&
                           std::any_of(attack->cells.begin(), attack->cells.end(),
                                       [](const auto& cell) { return cell.has_value(); }));
    }
}

void TradeOffPanel::showReading() {
    // Of other settings there is nothing to read at the present epsilon.
    const bool isOutdated = !m_model.staleness().isEmpty();
    if (!isOutdated || !m_shownFamily) {
        showFamily();
    }
    const auto cell = m_model.presentCell();
    for (MeasuredPlot* plot : {m_utility, m_risk}) {
        plot->setOutdated(isOutdated);
        plot->setMarked(cell ? std::optional(m_model.result()->summary().cells[*cell].epsilon)
                             : std::nullopt);
        plot->setEpsilon(m_model.state().epsilon());
    }
    m_frontier->setOutdated(isOutdated);
    m_frontier->setMarked(cell);
    m_numbers->setOutdated(isOutdated);
    for (PlotWidget* plot : {static_cast<PlotWidget*>(m_utility), static_cast<PlotWidget*>(m_risk),
                             static_cast<PlotWidget*>(m_frontier)}) {
        plot->refuseExport(isOutdated ? tr("Results of earlier settings are not exported")
                                      : QString());
    }
    m_sentence->setText(m_model.sentence());
    const auto present = m_model.present();
    m_sentence->setToolTip(present ? attackersText(*present->result, present->cell) : QString());
}

void TradeOffPanel::showStateNotice() {
    std::optional<Notice> notice;
    if (const QString running = m_model.runStaleness(); !running.isEmpty()) {
        notice = Notice{Severity::info, running, {}, true};
    } else if (!m_model.isRunning() && !m_model.staleness().isEmpty()) {
        notice = Notice{Severity::info, m_model.staleness(), {}, true};
        if (m_model.obstacle().isEmpty()) {
            notice->actions.append({tr("Measure again"), [this] { m_model.measure(); }});
        }
    }
    m_notice->follow(notice);
}

}  // namespace epsilens::ui
