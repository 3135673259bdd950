#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <QtWidgets>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/csv_rows.h"
#include "core/report/report_parts.h"
#include "ui/state/analysis_state.h"
#include "ui/state/controls.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/session_results.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

using calibration::Cell;

namespace {

constexpr std::array kTips{
    "This mechanism has one curve.",
    "A list such as 0; 0.5; 1 or a range such as 0..1 x5. Empty: 0, 0.25, 0.5, 0.75, 1.",
    "Error probabilities: a list such as 0.001; 0.1 or a range such as 1e-4..0.1 x4 (log-spaced). "
    "Empty: 0.001.",
    "Radii: a list such as 1; 2; 4 or a range such as 0..8 x5. Empty: quarters of the largest "
    "distance."};

constexpr std::array kSymbols{"", "λ", "β", "γ"};

QString parameterSymbol(CurveParameter parameter) {
    return QString::fromUtf8(kSymbols.at(static_cast<std::size_t>(parameter)));
}

QString curveName(CurveParameter parameter, double value) {
    return parameter == CurveParameter::none
               ? tr("all words")
               : QStringLiteral("%1 %2").arg(parameterSymbol(parameter), brief(value));
}

QString bandName(PercentileBand band) {
    return QStringLiteral("P%1–P%2").arg(band.low).arg(band.high);
}

QString statisticReading(const Reading& reading, calibration::Summary Cell::*of,
                         const QString& name, PercentileBand band) {
    if (!reading.cell) {
        return tr("%1 unknown outside the grid").arg(name);
    }
    const calibration::Summary& over = *reading.cell.*of;
    return tr("%1 %2%3 (median %4, %5 %6–%7)")
        .arg(name, reading.isExact ? QString() : QStringLiteral("≈ "), oneDecimal(over.mean),
             oneDecimal(over.p50), bandName(band), oneDecimal(over.percentile(band.low)),
             oneDecimal(over.percentile(band.high)));
}

std::array<QColor, 2> coloursOf(Statistic statistic, bool dark) {
    if (statistic == Statistic::nw) {
        return dark ? std::array{QColor(0xc4, 0xe6, 0xfa), QColor(0x2e, 0x8b, 0xc7)}
                    : std::array{QColor(0x00, 0x33, 0x55), QColor(0x3d, 0x9b, 0xd6)};
    }
    return dark ? std::array{QColor(0xff, 0xdf, 0xa3), QColor(0xdc, 0x7a, 0x2a)}
                : std::array{QColor(0x7a, 0x2e, 0x00), QColor(0xe5, 0x6c, 0x14)};
}

}  // namespace

QString originText(const RunCurves& run, Statistic statistic) {
    const QString what = statistic == Statistic::nw ? tr("N<sub>w</sub>, outputs equal to the word")
                                                    : tr("S<sub>w</sub>, different outputs");
    if (run.isExact()) {
        return tr("%1: exact at every ε for these draws").arg(what);
    }
    const QString where = tr("the %1 ε of the grid").arg(run.summary().grid.epsilons.size());
    if (!run.responses.empty()) {
        return tr("%1: expected, exact at %2, within 0.1% between them").arg(what, where);
    }
    return (run.summary().isExact() ? tr("%1: expected, exact at %2") : tr("%1: sampled at %2"))
        .arg(what, where);
}

QString readingText(const RunCurves& run, std::size_t curve, double epsilon, PercentileBand band,
                    const mechanism::Mechanism& set) {
    const Reading reading = readCurve(run, curve, epsilon);
    const QString text =
        tr("At ε %1, %2: %3 · %4")
            .arg(epsilonText(epsilon), curveName(run.parameter, reading.value),
                 statisticReading(reading, &Cell::nw, QStringLiteral("N<sub>w</sub>"), band),
                 statisticReading(reading, &Cell::sw, QStringLiteral("S<sub>w</sub>"), band));
    const double wanted = parameterValue(set, run.parameter);
    return run.parameter == CurveParameter::none || reading.value == wanted
               ? text
               : tr("There is no curve for %1, the value set; this is the nearest one. %2")
                     .arg(curveName(run.parameter, wanted), text);
}

QColor curveColour(Statistic statistic, const Theme& theme, int index, int count) {
    if (count == 1) {
        return statistic == Statistic::nw ? theme.nw : theme.sw;
    }
    const auto [first, last] = coloursOf(statistic, theme.dark);
    const double share = static_cast<double>(index) / (count - 1);
    const auto mix = [share](int low, int high) {
        return static_cast<int>(std::lround(low + share * (high - low)));
    };
    return {mix(first.red(), last.red()), mix(first.green(), last.green()),
            mix(first.blue(), last.blue())};
}

PlotContent curveContent(const RunCurves& run, Statistic statistic, PercentileBand band,
                         std::size_t bandOf) {
    constexpr double kEpsilonMargin = 1.25;  // factor beyond the grid
    constexpr double kValueMargin = 0.03;    // of the draws, above R and below 0
    const bool isNw = statistic == Statistic::nw;
    const auto of = isNw ? &Cell::nw : &Cell::sw;
    const std::vector<Curve>& curves = run.curves;
    const int draws = run.summary().draws;
    const auto& grid = curves.front().markers;
    PlotContent content;
    content.x = {tr("ε, per unit of distance (log)"),
                 QStringLiteral("ε"),
                 true,
                 {{grid.front().epsilon / kEpsilonMargin, grid.back().epsilon * kEpsilonMargin}},
                 epsilonText};
    content.y = {
        (isNw ? tr("kept, of %1 draws") : tr("different outputs of %1 draws")).arg(counted(draws)),
        {},
        false,
        {{-kValueMargin * draws, (1.0 + kValueMargin) * draws}}};
    content.csvTitle = QStringLiteral("curve,epsilon,value,p%1,p%2").arg(band.low).arg(band.high);
    const int count = static_cast<int>(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
        PlotSeries& mean = content.series.emplace_back();
        mean.name = curveName(run.parameter, curves[i].value);
        mean.colour = [statistic, count, index = static_cast<int>(i)](const Theme& theme) {
            return curveColour(statistic, theme, index, count);
        };
        mean.width = i == bandOf ? 2.6 : 1.6;
        for (const Cell& cell : curves[i].line) {
            mean.points.push_back({cell.epsilon, (cell.*of).mean});
            mean.points.back().isMarked =
                std::ranges::find(grid, cell.epsilon, &Cell::epsilon) != grid.end();
        }
    }
    PlotSeries median{tr("median, %1").arg(bandName(band)), {}, content.series[bandOf].colour};
    median.style = Qt::DashLine;
    median.hasBand = true;
    for (const Cell& cell : curves[bandOf].line) {
        const calibration::Summary& over = cell.*of;
        median.points.push_back(
            {cell.epsilon, over.p50, {{over.percentile(band.low), over.percentile(band.high)}}});
        median.points.back().isMarked = false;
    }
    content.series.push_back(std::move(median));
    return content;
}

CurvesPanel::CurvesPanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_state(state),
      m_grid(state),
      m_notice(new NoticeLine(this)),
      m_pages(new QStackedWidget(this)),
      m_emptyText(wrapped(emptyStateLabel({}, this), "curvesEmptyLabel")),
      m_parts{{{Statistic::nw, wrapped(hintLabel({}, this), "nwOriginLabel"),
                new XyPlot("nwPlot", tr("Words kept against epsilon"), this)},
               {Statistic::sw, wrapped(hintLabel({}, this), "swOriginLabel"),
                new XyPlot("swPlot", tr("Different outputs against epsilon"), this)}}},
      m_reading(selectable(wrapped(new QLabel(this), "readingLabel"))),
      m_resultLabel(wrapped(hintLabel({}, this), "resultLabel")),
      m_numbers(new NumbersView("curvesTableView", tr("Results of the grid"), this)),
      m_runner(tr("Measuring"),
               [this](Result<RunCurvesHandle> result) { takeResult(std::move(result)); }),
      m_responses(
          {.title = tr("Measuring between the points of the grid"),
           .key = [this]() -> std::optional<ResponseKey> {
               return m_result && !isRunning() && lacksResponses(*m_result) &&
                              m_result->isOf(m_state.embedding())
                          ? std::optional(ResponseKey{m_state.searchSpace(), m_result})
                          : std::nullopt;
           },
           .make = [](const ResponseKey& key,
                      const JobContext& job) { return withResponses(*key.space, key.run, job); }}) {
    setObjectName(QStringLiteral("curvesPanel"));
    m_pages->addWidget(m_emptyText);
    m_pages->addWidget(buildResults());
    auto* column = new QWidget(this);
    columnIn(column, kRowSpacing, {buildGrid(), m_pages}, kPanelMargin)->setStretch(1, 1);
    columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
    connectState();
    showGrid();
    showResult();
}

QWidget* CurvesPanel::buildGrid() {
    m_fields = new QWidget(this);
    m_fields->setObjectName(QStringLiteral("gridEditor"));
    m_gridProblem = wrapped(hintLabel({}, m_fields), "gridProblemLabel");
    m_epsilons.edit =
        described(new QLineEdit(m_fields), "epsilonGridLineEdit", tr("Epsilons of the grid"),
                  tr("A list such as 1; 5; 10 or a range such as 1..40 x9 (log-spaced). "
                     "Empty: the default, from the estimated range of half-kept ε."));
    m_parameters.edit =
        described(new QLineEdit(m_fields), "parameterGridLineEdit", tr("Curves of the grid"), {});
    m_run = described(new QPushButton(tr("Measure"), m_fields), "runPushButton", tr("Measure"),
                      tr("Measures over the grid (F5)."));
    constexpr int kNarrowestEpsilons = 140;
    constexpr int kNarrowestParameters = 90;
    m_epsilons.edit->setMinimumWidth(kNarrowestEpsilons);
    m_parameters.edit->setMinimumWidth(kNarrowestParameters);
    auto* row = rowOf({}, kRowSpacing);
    m_epsilons.label = addLabelled(*row, tr("ε grid"), m_epsilons.edit, 3);
    m_parameters.label = addLabelled(*row, {}, m_parameters.edit, 2);
    row->addWidget(m_run);
    columnIn(m_fields, kRowSpacing / 2, {m_gridProblem})->insertLayout(0, row);
    using SetText = QString (CurveGrid::*)(const QString&);
    for (const auto& [field, setText] :
         {std::pair<Field*, SetText>{&m_epsilons, &CurveGrid::setEpsilonText},
          std::pair<Field*, SetText>{&m_parameters, &CurveGrid::setParameterText}}) {
        // Fields that lose the focus while closing find nobody to tell.
        connect(field->edit, &QLineEdit::editingFinished, &m_grid,
                [this, field = field, setText = setText] {
                    field->edit->setModified(false);
                    setFieldProblem(*field->edit, {});
                    setFieldProblem(*field->edit, (m_grid.*setText)(field->edit->text()));
                    showGridProblem();
                });
    }
    connect(m_run, &QPushButton::clicked, this, &CurvesPanel::run);
    return m_fields;
}

QWidget* CurvesPanel::buildResults() {
    keepRoomForTwoLines(m_reading);
    auto* plots = new QWidget(this);
    auto* grid = new QGridLayout(plots);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPanelMargin);
    grid->setVerticalSpacing(2);
    grid->setRowStretch(1, 1);
    constexpr int kLowestPlot = 140;
    constexpr int kLowestLargePlot = 210;  // whose legend has several rows
    for (const Part& part : m_parts) {
        const int column = static_cast<int>(part.statistic);
        XyPlot* plot = part.plot;
        XyPlot* other = m_parts.at(part.statistic == Statistic::nw ? 1 : 0).plot;
        keepRoomForTwoLines(part.origin);
        followFont(plot, [plot](const QFontMetrics& metrics) {
            plot->setMinimumHeight(
                scaledToText(isLargeText(metrics) ? kLowestLargePlot : kLowestPlot, metrics));
        });
        grid->addWidget(part.origin, 0, column);
        grid->addWidget(plot, 1, column);
        grid->setColumnStretch(column, 1);
        connect(plot, &XyPlot::cursorMoved, this, [this](double epsilon) {
            m_state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        });
        connect(plot, &PlotWidget::viewChanged, other,
                [plot, other] { other->showXs(plot->shownX()); });
    }
    auto* results = new QWidget(this);
    columnIn(
        results, 4,
        {plots, m_reading, m_resultLabel,
         new CollapsibleSection(QStringLiteral("curvesNumbers"), tr("Numbers"), m_numbers, this)})
        ->setStretch(0, 1);
    return results;
}

void CurvesPanel::connectState() {
    // A failure leaves the straight lines between the points of the grid.
    connect(&m_responses, &QueryBase::changed, this, [this] {
        if (const RunCurvesHandle* denser = m_responses.current()) {
            m_result = *denser;
            showCurves();
        }
    });
    for (const auto signal : {&JobRunnerBase::started, &JobRunnerBase::finished}) {
        connect(&m_runner, signal, this, [this] {
            m_responses.update();
            showState();
        });
    }
    connect(&m_grid, &CurveGrid::textChanged, this, &CurvesPanel::showGrid);
    connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
        m_runner.drop();
        m_result.reset();
        m_responses.update();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        showResult();
        Q_EMIT resultChanged();
    });
    connect(
        &m_state, &AnalysisState::changed, this,
        [this](const AnalysisSettings& before, const AnalysisSettings& now) {
            if (now.currentMechanism() != before.currentMechanism()) {
                showGrid();
            }
            if (now.currentMechanism() != before.currentMechanism() || now.band != before.band) {
                showCurves();
            }
            if (!now.asksForRunOf(before)) {
                showState();
            } else if (now.epsilon != before.epsilon) {
                showReading();
            }
        });
}

calibration::CalibrationOptions CurvesPanel::options() const {
    return optionsUnder(m_state.limits(), m_state.calibrationOptions());
}

QString CurvesPanel::obstacle() const {
    if (!m_state.embedding()) {
        return tr("Open an embedding to measure its words.");
    }
    if (!m_state.searchSpace()) {
        return tr("The embedding is being prepared.");
    }
    const auto checked = calibration::validate(options(), *m_state.embedding());
    return checked ? QString() : toQString(checked.error().message);
}

void CurvesPanel::run() {
    // The run would be of other values than the fields show.
    QLineEdit* ofGrid = fieldWithProblem(*m_fields);
    if (QLineEdit* refusing = ofGrid != nullptr ? ofGrid : fieldWithProblem(*window())) {
        if (ofGrid != nullptr) {
            Q_EMIT gridWanted();
        }
        showField(*refusing);
    } else if (!isRunning() && obstacle().isEmpty()) {
        m_runner.start([space = m_state.searchSpace(), asked = options(),
                        selection = m_state.settings().wordsFrom()](const JobContext& job) {
            return runCurves(*space, asked, job, selection);
        });
    }
}

void CurvesPanel::takeResult(Result<RunCurvesHandle> result) {
    if (result) {
        m_result = std::move(*result);
        showResult();
        Q_EMIT resultChanged();
        return;
    }
    showState();
    if (result.error().code != ErrorCode::cancelled) {
        m_notice->present(noticeFor(result.error()));
    }
}

void CurvesPanel::restore(calibration::RunHandle run) {
    m_runner.drop();
    RunCurves curves = arrange(std::move(run));
    curves.isRestored = true;
    curves.embedding = m_state.embedding();
    takeResult(std::make_shared<const RunCurves>(std::move(curves)));
    m_responses.update();
}

QString CurvesPanel::resultText() const {
    const calibration::CalibrationSummary& summary = m_result->summary();
    QString text =
        (summary.isExact() ? tr("%1 words, exact expectations for R = %2 draws, word seed %3, %4")
                           : tr("%1 words, R = %2 draws, seed %3, %4"))
            .arg(counted(summary.words), counted(summary.draws), QString::number(summary.seed),
                 duration(summary.seconds));
    if (!summary.partial) {
        return text;
    }
    return (summary.words == summary.wordsAsked
                ? tr("the worst words were not counted again · ")
                : tr("partial: %1 of %2 words · ")
                      .arg(counted(summary.words), counted(summary.wordsAsked))) +
           text;
}

bool CurvesPanel::isOfOthers() const {
    return m_result && !m_result->summary().grid.mechanism.isKindOf(m_state.mechanism());
}

QString CurvesPanel::staleness() const {
    if (isOfOthers()) {
        return tr("What was measured belongs to another mechanism: %1.")
            .arg(mechanismTitle(m_result->summary().grid.mechanism));
    }
    return !m_result || answers(m_result->options(), options())
               ? QString()
               : tr("Settings changed: these results belong to the previous settings.");
}

std::size_t CurvesPanel::nearestCurve() const {
    const double wanted = parameterValue(m_state.mechanism(), m_result->parameter);
    const bool isLog = m_result->parameter == CurveParameter::beta;
    const auto nearest = std::ranges::min_element(m_result->curves, {}, [&](const Curve& curve) {
        return isLog ? std::fabs(std::log(curve.value / wanted)) : std::fabs(curve.value - wanted);
    });
    return static_cast<std::size_t>(nearest - m_result->curves.begin());
}

/// What is typed stays until it is left, what was refused until the grid is another one.
void CurvesPanel::showText(Field& field, const QString& text) {
    const bool isOther = std::exchange(field.shown, text) != text;
    if (isOther || fieldProblem(*field.edit).isEmpty()) {
        setFieldProblem(*field.edit, {});
        if (!field.edit->hasFocus() || !field.edit->isModified()) {
            field.edit->setText(text);
            field.edit->setCursorPosition(0);
        }
    }
}

void CurvesPanel::showGrid() {
    const CurveParameter parameter = m_grid.parameter();
    const bool hasParameter = parameter != CurveParameter::none;
    QLineEdit& field = *m_parameters.edit;
    showText(m_epsilons, m_grid.epsilonText());
    m_parameters.label->setText(
        tr("%1 grid").arg(parameterSymbol(hasParameter ? parameter : CurveParameter::lambda)));
    const bool hasField = parameterOf(m_state.mechanism()) != CurveParameter::none;
    m_parameters.label->setVisible(hasField);
    field.setVisible(hasField);
    field.setEnabled(hasParameter && !isRunning());
    showText(m_parameters, hasParameter ? m_grid.parameterText() : tr("none"));
    field.setToolTip(tr(kTips.at(static_cast<std::size_t>(parameter))));
    field.setAccessibleDescription(field.toolTip());
    showGridProblem();
}

void CurvesPanel::showGridProblem() {
    const QString ofEpsilons = fieldProblem(*m_epsilons.edit);
    const QString problem = ofEpsilons.isEmpty() ? fieldProblem(*m_parameters.edit) : ofEpsilons;
    const QString obstacle = isRunning() ? QString() : this->obstacle();
    const QString text = !problem.isEmpty()    ? tr("✗ %1").arg(problem)
                         : !obstacle.isEmpty() ? obstacle
                                               : m_grid.note();
    m_gridProblem->setText(text);
    m_gridProblem->setVisible(!text.isEmpty());
}

void CurvesPanel::showResult() {
    const RunCurvesHandle& run = m_result;
    m_resultLabel->setText(run ? QStringLiteral("%1. %2").arg(
                                     resultText(), toQString(report::lambdaText(run->summary())))
                               : QString());
    m_numbers->setTables(
        run ? std::vector{report::overviewTable(run->summary())} : std::vector<report::Table>(),
        [run] {
            return toQString(document::csvRows(document::calibrationDocument(*run->run), "cells"));
        });
    showCurves();
    showState();
}

void CurvesPanel::showCurves() {
    for (const Part& part : m_parts) {
        part.origin->setText(m_result ? originText(*m_result, part.statistic) : QString());
        part.plot->setContent(
            m_result ? curveContent(*m_result, part.statistic, m_state.band(), nearestCurve())
                     : PlotContent());
    }
    showReading();
}

void CurvesPanel::showState() {
    const bool running = isRunning();
    const QString obstacle = this->obstacle();
    // What another mechanism did has another axis: it is not drawn on this one's.
    m_pages->setCurrentIndex(m_result && !isOfOthers() ? 1 : 0);
    std::optional<Notice> notice;
    if (!staleness().isEmpty() && !isOfOthers() && !running) {
        notice = Notice{Severity::info, staleness()};
        if (obstacle.isEmpty()) {
            notice->actions.append({tr("Measure again"), [this] { run(); }});
        }
    }
    m_notice->follow(notice);
    // Disabled, they would give the focus to whatever comes next, such as the dial.
    if (running && m_fields->isAncestorOf(m_fields->window()->focusWidget())) {
        m_fields->setFocus();
    }
    m_epsilons.edit->setEnabled(!running);
    m_parameters.edit->setEnabled(!running && m_grid.parameter() != CurveParameter::none);
    m_run->setEnabled(!running && obstacle.isEmpty());
    if (!running && m_fields->hasFocus()) {
        m_run->setFocus();
    }
    showGridProblem();
    m_emptyText->setText(
        !obstacle.isEmpty() ? obstacle
        : running           ? tr("Measuring…")
        : isOfOthers()
            ? tr("%1 Its curves have another axis. Measure the present one, or go back to that.")
                  .arg(staleness())
            : tr("A measurement shows, for each ε of the grid, how often words stay as "
                 "they are (N<sub>w</sub>) and how many different words each of "
                 "them becomes, itself included (S<sub>w</sub>)."));
    showReading();
    Q_EMIT runStateChanged();
}

void CurvesPanel::showReading() {
    // Of other settings there is nothing to read at the present epsilon.
    const bool isOutdated = !staleness().isEmpty();
    const double epsilon = m_state.epsilon();
    m_numbers->setOutdated(isOutdated);
    for (const Part& part : m_parts) {
        part.plot->setOutdated(isOutdated);
        part.plot->setCursor(epsilon);
    }
    m_reading->setText(m_result && !isOutdated ? readingText(*m_result, nearestCurve(), epsilon,
                                                             m_state.band(), m_state.mechanism())
                                               : QString());
}

}  // namespace epsilens::ui
