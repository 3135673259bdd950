#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/csv_rows.h"
#include "core/report/report_parts.h"
#include "ui/state/numbers_view.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// What may be typed for the curves of a grid; in the order of CurveParameter.
constexpr std::array kTips{
    "This mechanism has one curve.",
    "A list such as 0; 0.5; 1 or a range such as 0..1 x5. Empty: 0, 0.25, 0.5, 0.75, 1.",
    "Error probabilities: a list such as 0.001; 0.1 or a range such as 1e-4..0.1 x4 (log-spaced). "
    "Empty: 0.001.",
    "Radii: a list such as 1; 2; 4 or a range such as 0..8 x5. Empty: quarters of the largest "
    "distance."};

/// What is being typed stays: it is taken when the field is left.
void showText(QLineEdit& field, const QString& text) {
    if (!field.hasFocus() || !field.isModified()) {
        field.setText(text);
        field.setCursorPosition(0);
    }
}

QLabel* wrapped(QLabel* label, const char* name) {
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    return label;
}

/// A row per setting, as reports have it.
std::vector<report::Table> tablesOf(const RunCurves& run) {
    report::Section section;
    report::addOverview(section, *run.run);
    std::vector<report::Table> tables;
    for (report::Block& block : section.blocks) {
        if (auto* table = std::get_if<report::Table>(&block)) {
            tables.push_back(std::move(*table));
        }
    }
    return tables;
}

}  // namespace

CurvesPanel::CurvesPanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_model(*new CurvesModel(state, this)),
      m_notice(new NoticeLine(this)),
      m_pages(new QStackedWidget(this)),
      m_emptyRun(described(new QPushButton(tr("Measure"), this), "emptyRunPushButton", {},
                           tr("Measures over the grid above (F5)."))),
      m_emptyText(emptyStateLabel({}, this)),
      m_parts{{{Statistic::nw, wrapped(hintLabel({}, this), "nwOriginLabel"),
                new XyPlot("nwPlot", tr("Kept draws against epsilon"), this)},
               {Statistic::sw, wrapped(hintLabel({}, this), "swOriginLabel"),
                new XyPlot("swPlot", tr("Different outputs against epsilon"), this)}}},
      m_reading(wrapped(new QLabel(this), "readingLabel")),
      m_resultLabel(wrapped(hintLabel({}, this), "resultLabel")),
      m_numbers(new NumbersView("curvesTableView", tr("Results of the grid"), this)) {
    setObjectName(QStringLiteral("curvesPanel"));
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildResults());
    auto* column = new QWidget(this);
    columnIn(column, kRowSpacing, {buildGrid(), m_pages}, kPanelMargin)->setStretch(1, 1);
    columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
    connectModel();
    showGrid();
    showRunState();
    showResult();
}

QString CurvesPanel::title() const {
    return tr("Curves");
}

QWidget* CurvesPanel::firstControl() const {
    return m_epsilons.edit;
}

QWidget* CurvesPanel::buildGrid() {
    m_grid = new QWidget(this);
    m_grid->setObjectName(QStringLiteral("gridEditor"));
    m_gridProblem = wrapped(hintLabel({}, m_grid), "gridProblemLabel");
    m_epsilons.edit =
        described(new QLineEdit(m_grid), "epsilonGridLineEdit", tr("Epsilons of the grid"),
                  tr("A list such as 1; 5; 10 or a range such as 1..40 x9 (log-spaced). "
                     "Empty: the default, from the estimated range of half-kept ε."));
    m_parameters.edit =
        described(new QLineEdit(m_grid), "parameterGridLineEdit", tr("Curves of the grid"), {});
    m_run = described(new QPushButton(tr("Measure"), m_grid), "runPushButton", tr("Measure"),
                      tr("Measures over the grid (F5)."));
    constexpr int kNarrowestEpsilons = 140;
    constexpr int kNarrowestParameters = 90;
    m_epsilons.edit->setMinimumWidth(kNarrowestEpsilons);
    m_parameters.edit->setMinimumWidth(kNarrowestParameters);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    m_epsilons.label = addLabelled(*row, tr("ε grid"), m_epsilons.edit, 3);
    m_parameters.label = addLabelled(*row, {}, m_parameters.edit, 2);
    row->addWidget(m_run);
    columnIn(m_grid, kRowSpacing / 2, {m_gridProblem})->insertLayout(0, row);
    using SetText = QString (CurveGrid::*)(const QString&);
    for (const auto& [field, setText] :
         {std::pair<Field*, SetText>{&m_epsilons, &CurveGrid::setEpsilonText},
          std::pair<Field*, SetText>{&m_parameters, &CurveGrid::setParameterText}}) {
        connect(field->edit, &QLineEdit::editingFinished, this,
                [this, field = field, setText = setText] {
                    field->edit->setModified(false);
                    field->problem = (m_model.grid().*setText)(field->edit->text());
                    showGridProblem();
                });
    }
    connect(m_run, &QPushButton::clicked, this, &CurvesPanel::run);
    return m_grid;
}

QWidget* CurvesPanel::buildEmptyState() {
    m_emptyText->setObjectName(QStringLiteral("curvesEmptyLabel"));
    connect(m_emptyRun, &QPushButton::clicked, this, &CurvesPanel::run);
    return emptyStatePage(m_emptyText, m_emptyRun, this);
}

QWidget* CurvesPanel::buildResults() {
    keepRoomForTwoLines(m_reading);
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* results = new QWidget(this);
    columnIn(
        results, 4,
        {buildPlots(), m_reading, m_resultLabel,
         new CollapsibleSection(QStringLiteral("curvesNumbers"), tr("Numbers"), m_numbers, this)})
        ->setStretch(0, 1);
    return results;
}

QWidget* CurvesPanel::buildPlots() {
    auto* plots = new QWidget(this);
    auto* grid = new QGridLayout(plots);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPanelMargin);
    grid->setVerticalSpacing(2);
    grid->setRowStretch(1, 1);
    constexpr int kLowestPlot = 140;
    AnalysisState& state = m_model.state();
    for (const Part& part : m_parts) {
        const int column = static_cast<int>(part.statistic);
        XyPlot* plot = part.plot;
        XyPlot* other = m_parts.at(part.statistic == Statistic::nw ? 1 : 0).plot;
        keepRoomForTwoLines(part.origin);
        followFont(plot, [plot](const QFontMetrics& metrics) {
            plot->setMinimumHeight(scaledToText(kLowestPlot, metrics));
        });
        grid->addWidget(part.origin, 0, column);
        grid->addWidget(plot, 1, column);
        grid->setColumnStretch(column, 1);
        connect(plot, &XyPlot::cursorMoved, &state, [&state](double epsilon) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        });
        connect(plot, &PlotWidget::viewChanged, other,
                [plot, other] { other->showXs(plot->shownX()); });
    }
    return plots;
}

void CurvesPanel::connectModel() {
    connect(&m_model, &CurvesModel::runningChanged, this, [this] {
        showState();
        showRunState();
    });
    connect(&m_model, &CurvesModel::resultChanged, this, &CurvesPanel::showResult);
    connect(&m_model, &CurvesModel::linesRefined, this, &CurvesPanel::showCurves);
    connect(&m_model, &CurvesModel::stalenessChanged, this, [this] {
        showState();
        showRunState();
        showReading();
    });
    connect(&m_model, &CurvesModel::failed, this, [this](const Error& error) {
        showState();
        if (error.code != ErrorCode::cancelled) {
            m_notice->present(noticeFor(error));
        }
    });
    connect(&m_model.grid(), &CurveGrid::textChanged, this, &CurvesPanel::showGrid);
    AnalysisState& state = m_model.state();
    state.onChange(&AnalysisSettings::chosen, this, &CurvesPanel::showGrid);
    state.onChange(&AnalysisSettings::epsilon, this, &CurvesPanel::showReading);
    state.onChange(&AnalysisSettings::chosen, this, &CurvesPanel::showCurves);
    state.onChange(&AnalysisSettings::band, this, &CurvesPanel::showCurves);
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
    QLineEdit& field = *m_parameters.edit;
    showText(*m_epsilons.edit, m_model.grid().epsilonText());
    m_parameters.label->setText(
        tr("%1 grid").arg(parameterSymbol(hasParameter ? parameter : CurveParameter::lambda)));
    const bool hasField = parameterOf(m_model.state().mechanism()) != CurveParameter::none;
    m_parameters.label->setVisible(hasField);
    field.setVisible(hasField);
    field.setEnabled(hasParameter && !m_model.isRunning());
    showText(field, hasParameter ? m_model.grid().parameterText() : tr("none"));
    field.setToolTip(tr(kTips.at(static_cast<std::size_t>(parameter))));
    field.setAccessibleDescription(field.toolTip());
    m_epsilons.problem.clear();
    m_parameters.problem.clear();
    showGridProblem();
}

void CurvesPanel::showGridProblem() {
    for (const Field* field : {&m_epsilons, &m_parameters}) {
        setFieldProblem(*field->edit, field->problem);
    }
    const QString& problem =
        m_epsilons.problem.isEmpty() ? m_parameters.problem : m_epsilons.problem;
    const QString obstacle = m_model.isRunning() ? QString() : m_model.obstacle();
    const QString text = !problem.isEmpty()    ? tr("✗ %1").arg(problem)
                         : !obstacle.isEmpty() ? obstacle
                                               : m_model.grid().note();
    m_gridProblem->setText(text);
    m_gridProblem->setVisible(!text.isEmpty());
}

void CurvesPanel::showRunState() {
    const bool running = m_model.isRunning();
    const QString obstacle = m_model.obstacle();
    // Disabled, they would give the focus to whatever comes next, such as the dial.
    if (running && m_grid->isAncestorOf(m_grid->window()->focusWidget())) {
        m_grid->setFocus();
    }
    m_epsilons.edit->setEnabled(!running);
    m_parameters.edit->setEnabled(!running && m_model.grid().parameter() != CurveParameter::none);
    m_run->setEnabled(!running && obstacle.isEmpty());
    if (!running && m_grid->hasFocus()) {
        m_run->setFocus();
    }
    showGridProblem();
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
    const RunCurvesHandle& run = m_model.result();
    m_resultLabel->setText(
        run ? QStringLiteral("%1. %2").arg(m_model.resultText(),
                                           toQString(report::lambdaText(run->summary())))
            : QString());
    m_numbers->setTables(run ? tablesOf(*run) : std::vector<report::Table>(), [run] {
        return toQString(document::csvRows(document::calibrationDocument(*run->run), "cells"));
    });
    showState();
    showCurves();
}

void CurvesPanel::showCurves() {
    const RunCurvesHandle& run = m_model.result();
    const int nearest = m_model.nearestCurve();
    for (const Part& part : m_parts) {
        part.origin->setText(run ? originText(*run, part.statistic) : QString());
        part.plot->setContent(curveContent(run, part.statistic, m_model.state().band(),
                                           static_cast<std::size_t>(std::max(0, nearest))));
    }
    showReading();
}

void CurvesPanel::showState() {
    // What another mechanism did has another axis, and ε another unit: it is not drawn on this
    // one's.
    m_pages->setCurrentIndex(m_model.result() && !m_model.isOfOthers() ? 1 : 0);
    std::optional<Notice> notice;
    if (m_model.isOutdated() && !m_model.isOfOthers() && !m_model.isRunning()) {
        notice = Notice{Severity::info, m_model.staleness(), {}, true};
        if (m_model.obstacle().isEmpty()) {
            notice->actions.append({tr("Measure again"), [this] { run(); }});
        }
    }
    m_notice->follow(notice);
}

void CurvesPanel::showReading() {
    // Of other settings there is nothing to read at the present epsilon.
    const bool isOutdated = m_model.isOutdated();
    const double epsilon = m_model.state().epsilon();
    const int nearest = m_model.nearestCurve();
    m_numbers->setOutdated(isOutdated);
    for (const Part& part : m_parts) {
        part.plot->setOutdated(isOutdated);
        part.plot->setCursor(epsilon);
    }
    m_reading->setText(nearest >= 0 && !isOutdated
                           ? readingText(*m_model.result(), static_cast<std::size_t>(nearest),
                                         epsilon, m_model.state().band(),
                                         m_model.state().mechanism())
                           : QString());
}

}  // namespace epsilens::ui
