#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/curves/curve_text.h"
#include "ui/curves/statistic_plot.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr int kFollowSetting = -3;  ///< band of the curve nearest to the value set

QString tr(const char* text) {
    return CurvesPanel::tr(text);
}

/// What may be typed for the curves of a grid, and what tells them apart; in the order of
/// CurveParameter.
struct ParameterTips {
    const char* grid = nullptr;
    const char* column = nullptr;
};
constexpr std::array kTips{
    ParameterTips{"This mechanism has one curve.", ""},
    ParameterTips{"A list such as 0; 0.5; 1 or a range such as 0..1 x5. Empty: 0, 0.25, 0.5, "
                  "0.75, 1.",
                  "0: the same noise in all directions. 1: noise follows the vocabulary."},
    ParameterTips{"Error probabilities: a list such as 0.001; 0.1 or a range such as 1e-4..0.1 x4 "
                  "(log-spaced). Empty: 0.001.",
                  "Outputs lie within γ with probability at least 1 − β."},
    ParameterTips{"Radii: a list such as 1; 2; 4 or a range such as 0..8 x5. Empty: quarters of "
                  "the largest distance.",
                  "Words farther than γ share one weight."}};

const ParameterTips& tipsOf(CurveParameter parameter) {
    return kTips.at(static_cast<std::size_t>(parameter));
}

/// What is being typed stays: it is taken when the field is left.
void showText(QLineEdit& field, const QString& text) {
    if (!field.hasFocus() || !field.isModified()) {
        field.setText(text);
        field.setCursorPosition(0);
    }
}

/// One of the numbers behind the curves, which a cell of the grid has in a row.
struct Number {
    QString title{};
    QString tip{};
    QString name{};                 ///< in CSV
    std::optional<double> value{};  ///< nothing where there is none
    QString shown{};                ///< with the digits that the sampling supports
};

std::vector<Number> numbersOf(const calibration::Cell& cell, const RunCurves& run,
                              PercentileBand band) {
    const bool isExact = run.summary().isExact();
    const double parameter = parameterValue(cell, run.parameter);
    std::vector<Number> numbers{{parameterSymbol(run.parameter), tr(tipsOf(run.parameter).column),
                                 parameterKey(run.parameter), parameter, brief(parameter)},
                                {QStringLiteral("ε"), tr("Privacy parameter, per unit of distance"),
                                 QStringLiteral("epsilon"), cell.epsilon, brief(cell.epsilon)}};
    for (const bool isNw : {true, false}) {
        const calibration::Summary& over = isNw ? cell.nw : cell.sw;
        const QString stem = isNw ? QStringLiteral("nw_%1") : QStringLiteral("sw_%1");
        const QString meaning =
            isNw ? (isExact ? tr("How many of R draws return the word itself on average")
                            : tr("How many of the draws returned the word itself"))
                 : (isExact ? tr("How many different outputs R draws return on average")
                            : tr("How many different outputs the draws returned"));
        const auto add = [&](const QString& title, const QString& tip, const char* name,
                             double value) {
            numbers.push_back(
                {title, tip, stem.arg(QLatin1String(name)), value, QString::number(value, 'f', 1)});
        };
        const auto addPercentile = [&](int percent) {
            add(QStringLiteral("P%1").arg(percent), meaning,
                qPrintable(QStringLiteral("p%1").arg(percent)), over.percentile(percent));
        };
        add(isNw ? tr("kept draws") : tr("different"), meaning, "mean", over.mean);
        const double half = over.ci95 ? ((*over.ci95)[1] - (*over.ci95)[0]) / 2.0 : 0.0;
        add(tr("± 95%"), tr("Half the width of the 95% confidence interval of the mean"),
            "ci95_half", half);
        numbers.back().shown = QStringLiteral("± ") + significant(half, 2);
        if (!over.ci95) {
            numbers.back().value.reset();
            numbers.back().shown = QStringLiteral("–");
        }
        add(tr("sd"),
            isExact ? tr("Standard deviation over the words")
                    : tr("Standard deviation over the words, sampling noise included"),
            "sd", over.sd);
        addPercentile(band.low);
        add(tr("median"), meaning, "p50", over.p50);
        addPercentile(band.high);
    }
    const auto addShare = [&](const QString& title, const QString& tip, const char* name,
                              double share) {
        numbers.push_back({title, tip, QLatin1String(name), share,
                           QString::number(100.0 * share, 'f', 1) + QLatin1Char('%')});
    };
    addShare(tr("kept"), tr("Share of outputs equal to the word"), "kept", cell.kept);
    addShare(tr("near"),
             tr("Share of outputs among the %1 nearest neighbours of the word")
                 .arg(run.summary().nearNeighbours),
             "near", cell.near);
    addShare(tr("far"), tr("Share of all other outputs"), "far", cell.far);
    return numbers;
}

/// With full precision and a header line.
QString csvOf(const RunCurves& run, PercentileBand band) {
    QStringList names;
    QString lines;
    for (const calibration::Cell& cell : run.summary().cells) {
        names.clear();
        QStringList values;
        for (const Number& number : numbersOf(cell, run, band)) {
            names.append(number.name);
            values.append(number.value ? shortest(*number.value) : QString());
        }
        lines += values.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return names.join(QLatin1Char(',')) + QLatin1Char('\n') + lines;
}

}  // namespace

CurvesPanel::CurvesPanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_model(*new CurvesModel(state, this)),
      m_notice(new NoticeLine(this)),
      m_grid(new QWidget(this)),
      m_epsilons(described(new QLineEdit(m_grid), "epsilonGridLineEdit", tr("Epsilons of the grid"),
                           tr("A list such as 1; 5; 10 or a range such as 1..40 x9 (log-spaced). "
                              "Empty: the default, from the estimated range of half-kept ε."))),
      m_parameters(described(new QLineEdit(m_grid), "parameterGridLineEdit",
                             tr("Curves of the grid"), QString())),
      m_run(described(new QPushButton(tr("Measure"), m_grid), "runPushButton", tr("Measure"),
                      tr("Measures over the grid (F5)."))),
      m_progress(hintLabel({}, m_grid)),
      m_gridProblem(hintLabel({}, m_grid)),
      m_pages(new QStackedWidget(this)),
      m_emptyRun(new QPushButton(tr("Measure"), this)),
      m_emptyText(emptyStateLabel({}, this)),
      m_nwPlot(new StatisticPlot(Statistic::nw, this)),
      m_swPlot(new StatisticPlot(Statistic::sw, this)),
      m_nwOrigin(hintLabel({}, this)),
      m_swOrigin(hintLabel({}, this)),
      m_reading(new QLabel(this)),
      m_resultLabel(hintLabel({}, this)),
      m_bandOf(described(new QComboBox(this), "bandOfComboBox", tr("Curves with median and band"),
                         tr("Which curves show their median and percentile band."))),
      m_copy(described(new QPushButton(tr("Copy CSV"), this), "copyTablePushButton", {},
                       tr("Copies the table as comma-separated values."))),
      m_table(new QStandardItemModel(this)),
      m_tableView(new QTableView(this)) {
    setObjectName(QStringLiteral("curvesPanel"));
    m_grid->setObjectName(QStringLiteral("gridEditor"));
    for (const auto& [label, name] :
         {std::pair{m_progress, "runProgressLabel"}, std::pair{m_gridProblem, "gridProblemLabel"},
          std::pair{m_nwOrigin, "nwOriginLabel"}, std::pair{m_swOrigin, "swOriginLabel"},
          std::pair{m_reading, "readingLabel"}}) {
        label->setObjectName(QLatin1String(name));
        label->setWordWrap(true);
    }
    columnIn(m_grid, kRowSpacing / 2, {m_gridProblem, m_progress})
        ->insertLayout(0, buildGridFields());
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildResults());
    auto* column = new QWidget(this);
    columnIn(column, kRowSpacing, {m_grid, m_pages}, kPanelMargin)->setStretch(1, 1);
    columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
    connectModel();
    connectGrid();
    showGrid();
    showRunState();
    showResult();
}

QString CurvesPanel::title() const {
    return tr("Curves");
}

QWidget* CurvesPanel::firstControl() const {
    return m_epsilons;
}

QHBoxLayout* CurvesPanel::buildGridFields() {
    constexpr int kNarrowestEpsilons = 140;
    constexpr int kNarrowestParameters = 90;
    m_epsilons->setMinimumWidth(kNarrowestEpsilons);
    m_parameters->setMinimumWidth(kNarrowestParameters);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    addLabelled(*row, tr("ε grid"), m_epsilons, 3);
    m_parameterLabel = addLabelled(*row, {}, m_parameters, 2);
    row->addWidget(m_run);
    return row;
}

QWidget* CurvesPanel::buildEmptyState() {
    m_emptyRun->setObjectName(QStringLiteral("emptyRunPushButton"));
    m_emptyRun->setAccessibleDescription(tr("Measures over the grid above (F5)."));
    m_emptyText->setObjectName(QStringLiteral("curvesEmptyLabel"));
    return emptyStatePage(m_emptyText, m_emptyRun, this);
}

QWidget* CurvesPanel::buildResults() {
    m_tableView->setObjectName(QStringLiteral("curvesTableView"));
    m_tableView->setAccessibleName(tr("Results of the grid"));
    m_tableView->setModel(m_table);
    describeRows(*m_tableView, [](int rows) {
        return tr("Rows: %1, one per curve and ε, with kept draws, different outputs and the "
                  "shares of kept, near and far outputs.")
            .arg(counted(rows));
    });
    m_tableView->verticalHeader()->hide();
    keepRowHeight(m_tableView, kLeastTarget);
    m_tableView->horizontalHeader()->setMinimumSectionSize(36);
    m_tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tableView->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tableView->setAlternatingRowColors(true);
    m_tableView->setTabKeyNavigation(false);
    m_tableView->setWordWrap(false);
    followFont(m_tableView,
               [this](const QFontMetrics&) { m_tableView->resizeColumnsToContents(); });
    connect(m_copy, &QPushButton::clicked, this, &CurvesPanel::copyTable);
    auto* numbers = new QWidget(this);
    QHBoxLayout* beside = rowOf({m_tableView, m_copy}, kRowSpacing);
    beside->setAlignment(m_copy, Qt::AlignTop);
    numbers->setLayout(beside);
    auto* results = new QWidget(this);
    columnIn(
        results, 4,
        {buildPlots(), buildReadingRow(),
         new CollapsibleSection(QStringLiteral("curvesNumbers"), tr("Numbers"), numbers, this)})
        ->setStretch(0, 1);
    return results;
}

QWidget* CurvesPanel::buildPlots() {
    m_nwPlot->setObjectName(QStringLiteral("nwPlot"));
    m_swPlot->setObjectName(QStringLiteral("swPlot"));
    auto* plots = new QWidget(this);
    auto* grid = new QGridLayout(plots);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPanelMargin);
    grid->setVerticalSpacing(2);
    grid->setRowStretch(1, 1);
    constexpr int kLowestPlot = 140;
    int column = 0;
    for (const auto& [label, plot] :
         {std::pair{m_nwOrigin, m_nwPlot}, std::pair{m_swOrigin, m_swPlot}}) {
        keepRoomForTwoLines(label);
        followFont(plot, [shown = plot](const QFontMetrics& metrics) {
            shown->setMinimumHeight(scaledToText(kLowestPlot, metrics));
        });
        grid->addWidget(label, 0, column);
        grid->addWidget(plot, 1, column);
        grid->setColumnStretch(column++, 1);
    }
    return plots;
}

QWidget* CurvesPanel::buildReadingRow() {
    keepRoomForTwoLines(m_reading);
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_resultLabel->setObjectName(QStringLiteral("resultLabel"));
    guardWheel(m_bandOf);
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    row->addStretch(1);
    addLabelled(*row, tr("Median and band"), m_bandOf);
    // Lines of their own: beside the list they would be cut in a narrow window.
    columnIn(box, 4, {m_reading, m_resultLabel})->addLayout(row);
    return box;
}

void CurvesPanel::connectModel() {
    connect(&m_model, &CurvesModel::runningChanged, this, [this] {
        if (m_model.isRunning()) {
            showStateNotice();
        }
        showRunState();
    });
    connect(&m_model, &CurvesModel::progressChanged, this,
            [this] { m_progress->setText(m_model.progressText()); });
    connect(&m_model, &CurvesModel::resultChanged, this, [this] {
        showResult();
        Q_EMIT resultChanged();
    });
    connect(&m_model, &CurvesModel::linesRefined, this, [this] {
        showCurves();
        showReading();
    });
    connect(&m_model, &CurvesModel::stalenessChanged, this, [this] {
        showPage();
        showRunState();
        showStateNotice();
        showReading();
    });
    connect(&m_model, &CurvesModel::failed, this, [this](const Error& error) {
        showStateNotice();
        if (error.code != ErrorCode::cancelled) {
            m_notice->present(noticeFor(error));
        }
    });
    AnalysisState& state = m_model.state();
    state.onChange(&AnalysisSettings::epsilon, this, &CurvesPanel::showReading);
    state.onChange(&AnalysisSettings::chosen, this, &CurvesPanel::takeBand);
    state.onChange(&AnalysisSettings::band, this, &CurvesPanel::takeBand);
    connect(m_bandOf, &QComboBox::activated, this, &CurvesPanel::takeBand);
    for (StatisticPlot* plot : {m_nwPlot, m_swPlot}) {
        StatisticPlot* other = plot == m_nwPlot ? m_swPlot : m_nwPlot;
        connect(plot, &StatisticPlot::epsilonMoved, &state, [&state](double epsilon) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        });
        connect(plot, &PlotWidget::viewChanged, other,
                [plot, other] { other->showEpsilons(plot->shownX()); });
    }
}

void CurvesPanel::connectGrid() {
    using SetText = QString (CurveGrid::*)(const QString&);
    const auto take = [this](QLineEdit* field, SetText setText, QString* problem) {
        connect(field, &QLineEdit::editingFinished, this, [=, this] {
            field->setModified(false);
            *problem = (m_model.grid().*setText)(field->text());
            showGridProblem();
        });
    };
    take(m_epsilons, &CurveGrid::setEpsilonText, &m_epsilonProblem);
    take(m_parameters, &CurveGrid::setParameterText, &m_parameterProblem);
    connect(&m_model.grid(), &CurveGrid::textChanged, this, &CurvesPanel::showGrid);
    m_model.state().onChange(&AnalysisSettings::chosen, this, &CurvesPanel::showGrid);
    for (const QPushButton* button : {m_run, m_emptyRun}) {
        connect(button, &QPushButton::clicked, this, &CurvesPanel::run);
    }
}

void CurvesPanel::run() {
    // The run would be of other values than the fields show.
    QLineEdit* ofGrid = fieldWithProblem(*m_grid);
    if (QLineEdit* refusing = ofGrid != nullptr ? ofGrid : fieldWithProblem(*window())) {
        if (ofGrid != nullptr) {
            Q_EMIT gridWanted();
        }
        showField(*refusing);
        return;
    }
    m_model.run();
}

void CurvesPanel::execute(PanelCommand command) {
    if (command == PanelCommand::run) {
        run();
    }
}

void CurvesPanel::showGrid() {
    const CurveParameter parameter = m_model.grid().parameter();
    const bool hasParameter = parameter != CurveParameter::none;
    showText(*m_epsilons, m_model.grid().epsilonText());
    m_parameterLabel->setText(
        tr("%1 grid").arg(parameterSymbol(hasParameter ? parameter : CurveParameter::lambda)));
    m_parameterLabel->setVisible(parameterOf(m_model.state().mechanism()) != CurveParameter::none);
    m_parameters->setVisible(!m_parameterLabel->isHidden());
    m_parameters->setEnabled(hasParameter && !m_model.isRunning());
    showText(*m_parameters, hasParameter ? m_model.grid().parameterText() : tr("none"));
    m_parameters->setToolTip(tr(tipsOf(parameter).grid));
    m_parameters->setAccessibleDescription(m_parameters->toolTip());
    m_epsilonProblem.clear();
    m_parameterProblem.clear();
    showGridProblem();
}

void CurvesPanel::showGridProblem() {
    setFieldProblem(*m_epsilons, m_epsilonProblem);
    setFieldProblem(*m_parameters, m_parameterProblem);
    const QString& problem = m_epsilonProblem.isEmpty() ? m_parameterProblem : m_epsilonProblem;
    const QString text = problem.isEmpty() ? m_model.grid().note() : QStringLiteral("✗ ") + problem;
    m_gridProblem->setText(text);
    m_gridProblem->setVisible(!text.isEmpty());
}

void CurvesPanel::showRunState() {
    const bool running = m_model.isRunning();
    const QString obstacle = m_model.obstacle();
    // Disabled, they would give the focus to whatever comes next, such as the dial.
    if (running && (m_run->hasFocus() || m_epsilons->hasFocus() || m_parameters->hasFocus())) {
        m_grid->setFocus();
    }
    m_epsilons->setEnabled(!running);
    m_parameters->setEnabled(!running && m_model.grid().parameter() != CurveParameter::none);
    m_run->setEnabled(!running && obstacle.isEmpty());
    if (!running && m_grid->hasFocus()) {
        m_run->setFocus();
    }
    m_progress->setText(running ? m_model.progressText() : obstacle);
    m_emptyRun->setVisible(obstacle.isEmpty());
    m_emptyRun->setEnabled(!running);
    m_emptyText->setText(
        !obstacle.isEmpty() ? obstacle
        : running           ? tr("Measuring…")
        : m_model.isOfOthers()
            ? tr("%1 Its curves have another axis. Measure the present one, or go back to that.")
                  .arg(m_model.staleness())
            : tr("A measurement shows, for each ε of the grid, how often words stay as "
                 "they are (N<sub>w</sub>) and how many different words each of "
                 "them becomes, itself included (S<sub>w</sub>)."));
    Q_EMIT runStateChanged(running, obstacle);
}

void CurvesPanel::showResult() {
    showPage();
    m_resultLabel->setText(m_model.resultText());
    showCurves();
    offerBands();
    takeBand();
}

/// What another mechanism did has another axis, and ε another unit: it is not drawn on this one's.
void CurvesPanel::showPage() {
    m_pages->setCurrentIndex(m_model.result() && !m_model.isOfOthers() ? 1 : 0);
}

void CurvesPanel::showCurves() {
    const RunCurvesHandle& run = m_model.result();
    if (run) {
        m_nwOrigin->setText(originText(*run, Statistic::nw));
        m_swOrigin->setText(originText(*run, Statistic::sw));
    }
    m_nwPlot->setRun(run);
    m_swPlot->setRun(run);
}

void CurvesPanel::offerBands() {
    const RunCurvesHandle& run = m_model.result();
    const QVariant kept = m_bandOf->currentData();
    m_bandOf->clear();
    const CurveParameter parameter = run ? run->parameter : CurveParameter::lambda;
    if (parameter == CurveParameter::none) {
        m_bandOf->addItem(tr("shown"), kFollowSetting);
        m_bandOf->addItem(tr("hidden"), kBandOfNone);
    } else {
        const QString symbol = parameterSymbol(parameter);
        m_bandOf->addItem(tr("for the %1 set").arg(symbol), kFollowSetting);
        int index = 0;
        for (const Curve& curve : run ? run->nw : std::vector<Curve>()) {
            m_bandOf->addItem(tr("for %1").arg(curveName(parameter, curve.value)), index++);
        }
        m_bandOf->addItem(tr("for every %1").arg(symbol), kBandOfAll);
        m_bandOf->addItem(tr("for none"), kBandOfNone);
    }
    m_bandOf->setCurrentIndex(std::max(0, m_bandOf->findData(kept)));
}

void CurvesPanel::showTable() {
    const RunCurvesHandle& run = m_model.result();
    m_table->clear();
    if (!run) {
        return;
    }
    for (const calibration::Cell& cell : run->summary().cells) {
        const std::vector<Number> numbers = numbersOf(cell, *run, m_model.state().band());
        QList<QStandardItem*> row;
        for (const Number& number : numbers) {
            row.append(new QStandardItem(number.shown));
            row.back()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        m_table->appendRow(row);
        for (int column = 0; m_table->rowCount() == 1 && column < row.size(); ++column) {
            const Number& number = numbers[static_cast<std::size_t>(column)];
            auto* header = new QStandardItem(number.title);
            header->setToolTip(number.tip);
            m_table->setHorizontalHeaderItem(column, header);
        }
    }
    m_tableView->setColumnHidden(0, run->parameter == CurveParameter::none);
    m_tableView->resizeColumnsToContents();
}

void CurvesPanel::showStateNotice() {
    std::optional<Notice> notice;
    if (m_model.isOutdated() && !m_model.isOfOthers() && !isRunning()) {
        notice = Notice{Severity::info, m_model.staleness(), {}, true};
        if (m_model.obstacle().isEmpty()) {
            notice->actions.append({tr("Measure again"), [this] { run(); }});
        }
    }
    m_notice->follow(notice);
}

void CurvesPanel::takeBand() {
    const PercentileBand band = m_model.state().band();
    const int chosen = m_bandOf->currentData().toInt();
    const int bandOf = chosen == kFollowSetting ? m_model.nearestCurve() : chosen;
    showTable();
    m_nwPlot->setBand(band, bandOf);
    m_swPlot->setBand(band, bandOf);
    showReading();
}

void CurvesPanel::showReading() {
    // Of other settings there is nothing to read at the present epsilon.
    const bool isOutdated = m_model.isOutdated();
    const double epsilon = m_model.state().epsilon();
    const int nearest = m_model.nearestCurve();
    m_tableView->setEnabled(!isOutdated);
    m_copy->setEnabled(!isOutdated);
    for (StatisticPlot* plot : {m_nwPlot, m_swPlot}) {
        plot->setOutdated(isOutdated);
        plot->refuseExport(isOutdated ? tr("Results of earlier settings are not exported")
                                      : QString());
        plot->setEpsilon(epsilon);
    }
    m_reading->setText(nearest >= 0 && !isOutdated
                           ? readingText(*m_model.result(), static_cast<std::size_t>(nearest),
                                         epsilon, m_model.state().band(),
                                         m_model.state().mechanism())
                           : QString());
}

void CurvesPanel::copyTable() {
    const RunCurvesHandle& run = m_model.result();
    QApplication::clipboard()->setText(run ? csvOf(*run, m_model.state().band()) : QString());
}

void CurvesPanel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && m_copy->isEnabled()) {
        copyTable();
        return;
    }
    Panel::keyPressEvent(event);
}

}  // namespace epsilens::ui
