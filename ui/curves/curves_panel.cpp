#include "ui/curves/curves_panel.h"

#include <array>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/curves/band_choice.h"
#include "ui/curves/curve_table.h"
#include "ui/curves/curve_text.h"
#include "ui/curves/grid_editor.h"
#include "ui/curves/limit_lines.h"
#include "ui/curves/statistic_plot.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

CurvesPanel::CurvesPanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_model(*new CurvesModel(state, this)),
      m_notice(new NoticeLine(this)),
      m_editor(new GridEditor(m_model, this)),
      m_pages(new QStackedWidget(this)),
      m_emptyRun(new QPushButton(tr("Measure"), this)),
      m_emptyText(emptyStateLabel({}, this)),
      m_nwPlot(new StatisticPlot(Statistic::nw, this)),
      m_swPlot(new StatisticPlot(Statistic::sw, this)),
      m_nwOrigin(hintLabel({}, this)),
      m_swOrigin(hintLabel({}, this)),
      m_reading(new QLabel(this)),
      m_resultLabel(hintLabel({}, this)),
      m_bandOf(new BandChoice(this)),
      m_copy(new QPushButton(tr("Copy CSV"), this)),
      m_table(new CurveTable(this)),
      m_tableView(new QTableView(this)) {
    setObjectName(QStringLiteral("curvesPanel"));
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildResults());
    auto* column = new QWidget(this);
    auto* content = new QVBoxLayout(column);
    content->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    content->setSpacing(kRowSpacing);
    content->addWidget(m_editor);
    content->addWidget(m_pages, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_notice);
    all->addWidget(scrolledPage(column, this), 1);
    connectModel();
    showRunState();
    m_bandOf->offerFor(m_model.result());
    showResult();
}

QString CurvesPanel::title() const {
    return tr("Curves");
}

void CurvesPanel::run() {
    // The run would be of other values than the fields show.
    QLineEdit* ofGrid = fieldWithProblem(*m_editor);
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

QWidget* CurvesPanel::firstControl() const {
    return m_editor->firstControl();
}

void CurvesPanel::connectModel() {
    connect(&m_model, &CurvesModel::runningChanged, this, [this] {
        if (m_model.isRunning()) {
            showStateNotice();
        }
        showRunState();
    });
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
    connect(m_editor, &GridEditor::runRequested, this, &CurvesPanel::run);

    AnalysisState& state = m_model.state();
    state.onChange(&AnalysisSettings::epsilon, this, &CurvesPanel::showReading);
    state.onChange(&AnalysisSettings::chosen, this, &CurvesPanel::takeBand);
    state.onChange(&AnalysisSettings::band, this, &CurvesPanel::takeBand);
    state.onChange(&AnalysisSettings::limits, this, &CurvesPanel::showLimits);
    connect(m_bandOf, &QComboBox::activated, this, &CurvesPanel::takeBand);
    for (StatisticPlot* plot : {m_nwPlot, m_swPlot}) {
        StatisticPlot* other = plot == m_nwPlot ? m_swPlot : m_nwPlot;
        connect(plot, &StatisticPlot::epsilonMoved, &state, [&state](double epsilon) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        });
        connect(plot, &PlotWidget::viewChanged, other,
                [plot, other] { other->showEpsilons(plot->shownEpsilons()); });
    }
}

void CurvesPanel::showRunState() {
    const QString obstacle = m_model.obstacle();
    m_emptyRun->setVisible(obstacle.isEmpty());
    m_emptyRun->setEnabled(!m_model.isRunning());
    m_emptyText->setText(
        !obstacle.isEmpty()   ? obstacle
        : m_model.isRunning() ? tr("Measuring…")
        : m_model.isOfOthers()
            ? tr("%1 Its curves have another axis. Measure the present one, or go back to that.")
                  .arg(m_model.staleness())
            : tr("A measurement shows, for each ε of the grid, how often words stay as "
                 "they are (N<sub>w</sub>) and how many different words each of "
                 "them becomes, itself included (S<sub>w</sub>)."));
    Q_EMIT runStateChanged(isRunning(), obstacle);
}

void CurvesPanel::showResult() {
    showPage();
    m_table->setRun(m_model.result());
    m_resultLabel->setText(m_model.resultText());
    showColumns();
    showCurves();
    m_bandOf->offerFor(m_model.result());
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
    const int bandOf = m_bandOf->bandOf(m_model.nearestCurve());
    m_table->setBand(band);
    m_nwPlot->setBand(band, bandOf);
    m_swPlot->setBand(band, bandOf);
    showReading();
}

void CurvesPanel::showLimits() {
    const RunCurvesHandle& run = m_model.result();
    if (!run || m_model.isOutdated()) {
        m_nwPlot->setLimits({});
        m_swPlot->setLimits({});
        return;
    }
    // A verdict on the nearest curve is none on the setting.
    const bool isOfSetting =
        m_now && isCurveOf(*run, static_cast<std::size_t>(m_model.nearestCurve()),
                           m_model.state().mechanism());
    const Reading* reading = isOfSetting ? &*m_now : nullptr;
    const QString curve = reading != nullptr && run->nw.size() > 1
                              ? curveName(run->parameter, reading->value)
                              : QString();
    for (const auto& [plot, statistic] :
         {std::pair{m_nwPlot, Statistic::nw}, std::pair{m_swPlot, Statistic::sw}}) {
        plot->setLimits(
            limitLines(m_model.state().limits(), statistic, run->summary().draws, reading, curve));
    }
}

void CurvesPanel::showColumns() {
    m_tableView->setColumnHidden(CurveTable::parameterColumn, !m_table->hasParameter());
    fitColumns();
}

void CurvesPanel::fitColumns() {
    m_tableView->resizeColumnsToContents();
}

void CurvesPanel::showReading() {
    // Of other settings there is nothing to read at the present epsilon.
    const bool isOutdated = m_model.isOutdated();
    m_nwPlot->setOutdated(isOutdated);
    m_swPlot->setOutdated(isOutdated);
    for (StatisticPlot* plot : {m_nwPlot, m_swPlot}) {
        plot->refuseExport(isOutdated ? tr("Results of earlier settings are not exported")
                                      : QString());
    }
    m_tableView->setEnabled(!isOutdated);
    m_copy->setEnabled(!isOutdated);
    const double epsilon = m_model.state().epsilon();
    const RunCurvesHandle& run = m_model.result();
    const int nearest = m_model.nearestCurve();
    const auto curve = static_cast<std::size_t>(std::max(nearest, 0));
    m_now =
        nearest >= 0 && !isOutdated ? std::optional(readCurve(*run, curve, epsilon)) : std::nullopt;
    showLimits();
    m_nwPlot->setEpsilon(epsilon);
    m_swPlot->setEpsilon(epsilon);
    m_reading->setText(m_now ? readingText(*run, curve, *m_now, epsilon, m_model.state().band(),
                                           m_model.state().mechanism())
                             : QString());
}

void CurvesPanel::copyTable() {
    QApplication::clipboard()->setText(m_table->csv());
}

void CurvesPanel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && m_copy->isEnabled()) {
        copyTable();
        return;
    }
    Panel::keyPressEvent(event);
}

}  // namespace epsilens::ui
