#include "ui/live/word_details.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/live/distribution_chart.h"
#include "ui/live/live_model.h"
#include "ui/live/stacked_bar_delegate.h"
#include "ui/state/density_button.h"
#include "ui/state/neighbour_model.h"
#include "ui/state/session_results.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {
constexpr int kNeighbourTableWidth = 220;
constexpr int kNeighbourRowHeight = 24;
constexpr int kDistanceWidth = 76;
}  // namespace

WordDetails::WordDetails(const LiveModel& model, SessionResults& results, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_results(results),
      m_heading(headingLabel({}, this)),
      m_density(new DensityButton(results, tr("Compute density rank"), this)),
      m_facts(hintLabel({}, this)),
      m_chart(new DistributionChart(this)),
      m_neighbours(new NeighbourModel(this)),
      m_neighbourTable(new QTableView(this)) {
    m_heading->setObjectName(QStringLiteral("detailHeadingLabel"));
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    m_facts->setObjectName(QStringLiteral("detailFactsLabel"));
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    m_density->setObjectName(QStringLiteral("liveDensityButton"));
    m_chart->setObjectName(QStringLiteral("distributionChart"));
    connect(&m_results, &SessionResults::densityChanged, this, &WordDetails::refresh);
    connect(m_chart, &DistributionChart::roomChanged, this, &WordDetails::refresh);
    buildNeighbourTable();

    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelMargin);
    row->addWidget(m_chart, 1);
    row->addWidget(m_neighbourTable);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kRowSpacing, 0, 0);
    layout->setSpacing(4);
    auto* headingRow = new QHBoxLayout;
    headingRow->setSpacing(kRowSpacing);
    headingRow->addWidget(m_heading, 1);
    headingRow->addWidget(m_density);
    layout->addLayout(headingRow);
    layout->addWidget(m_facts);
    layout->addLayout(row, 1);
    refresh();
}

QSize WordDetails::minimumSizeHint() const {
    QSize least = QWidget::minimumSizeHint();
    // A layout says it for texts of one line each, and the divider above takes it at its word.
    least.setHeight(std::max(least.height(), layout()->minimumHeightForWidth(width())));
    return least;
}

void WordDetails::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        updateGeometry();
    }
}

void WordDetails::buildNeighbourTable() {
    m_neighbourTable->setObjectName(QStringLiteral("neighbourTableView"));
    m_neighbourTable->setModel(m_neighbours);
    m_neighbourTable->setItemDelegate(new StackedBarDelegate(m_neighbourTable));
    showFocusAround(m_neighbourTable);
    m_neighbourTable->setAccessibleName(tr("Nearest words"));
    m_neighbourTable->setAccessibleDescription(tr("Not known yet."));
    m_neighbourTable->setFrameShape(QFrame::NoFrame);
    m_neighbourTable->setShowGrid(false);
    m_neighbourTable->setTabKeyNavigation(false);
    m_neighbourTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_neighbourTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_neighbourTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_neighbourTable->verticalHeader()->hide();
    keepRowHeight(m_neighbourTable, kNeighbourRowHeight);
    QHeaderView* header = m_neighbourTable->horizontalHeader();
    header->setSectionResizeMode(NeighbourModel::word, QHeaderView::Stretch);
    header->setSectionResizeMode(NeighbourModel::distance, QHeaderView::Fixed);
    followFont(m_neighbourTable, [this, header](const QFontMetrics& metrics) {
        m_neighbourTable->setFixedWidth(scaledToText(kNeighbourTableWidth, metrics));
        header->resizeSection(NeighbourModel::distance, scaledToText(kDistanceWidth, metrics));
    });
    header->setHighlightSections(false);
}

void WordDetails::styleTable(const QPalette& palette, const QString& headerStyle) {
    m_neighbourTable->setPalette(palette);
    m_neighbourTable->horizontalHeader()->setStyleSheet(headerStyle);
}

void WordDetails::refresh() {
    const LiveWord* word = m_model.detail();
    if (word == nullptr) {
        m_heading->setText({});
        m_facts->setText({});
        m_chart->setBars({}, {});
        showNeighbours();
        return;
    }
    m_heading->setText(word->occurrences > 0
                           ? tr("Outputs of “%1”").arg(word->typed)
                           : tr("Outputs of “%1”, not in the sentence").arg(word->typed));
    m_facts->setText(facts());
    m_chart->setExact(word->distribution.exact);
    m_chart->setDimmed(word->freshness == Freshness::stale);
    m_chart->setBars(word->typed,
                     word->freshness == Freshness::waiting
                         ? std::vector<DistributionBar>{}
                         : distributionBars(word->distribution, m_chart->roomForBars()));
    showNeighbours();
}

void WordDetails::showNeighbours() {
    const LiveWord* word = m_model.detail();
    const std::optional<Word> shown = word != nullptr ? word->word : std::nullopt;
    const NeighbourhoodHandle neighbours = shown ? m_model.neighbours(*shown) : nullptr;
    if (shown == m_shownWord && neighbours == m_shownNeighbours) {
        return;
    }
    m_shownWord = shown;
    m_shownNeighbours = neighbours;
    if (neighbours == nullptr) {
        m_neighbours->clear();
        m_neighbourTable->setAccessibleDescription(tr("Not known yet."));
        return;
    }
    m_neighbours->setNeighbours(*neighbours, shown->embedding());
    m_neighbourTable->setAccessibleDescription(
        neighbours->rows.empty()
            ? tr("There is no other word.")
            : tr("The %1 words nearest to %2; the nearest at distance %3.")
                  .arg(counted(static_cast<qint64>(neighbours->rows.size())), word->typed,
                       significant(neighbours->distances.front(), 3)));
}

QString WordDetails::facts() const {
    const LiveWord& word = *m_model.detail();
    if (word.freshness == Freshness::waiting) {
        return tr("Being computed…");
    }
    const ShownDistribution& distribution = word.distribution;
    const QString counts =
        (distribution.exact ? tr("N_w %1 and S_w %2 expected of %3 draws, exact.")
                            : tr("N_w %1 and S_w %2 of %3 draws."))
            .arg(countText(distribution, distribution.kept),
                 countText(distribution, distribution.distinct), counted(distribution.draws));
    return QStringList{counts, criticalFacts(word), densityFacts(word)}
        .join(QLatin1Char(' '))
        .trimmed();
}

QString WordDetails::densityFacts(const LiveWord& word) const {
    const VocabularyDensityHandle& density = m_results.density();
    if (!density || density->embedding != word.word->embedding()) {
        return {};
    }
    const statistics::DensityProfile& profile = density->profile;
    const auto row = static_cast<std::size_t>(word.word->row());
    return tr("Density rank %1 of %2, 1 is the sparsest: the nearest other word lies at %3.")
        .arg(counted(profile.ranks[row]), counted(static_cast<qint64>(profile.ranks.size())),
             significant(profile.distances[row], 3));
}

QString WordDetails::criticalFacts(const LiveWord& word) {
    if (!word.critical) {
        return tr(
            "Drawn at this ε; added noise has no critical ε, what a draw returns may change "
            "back and forth.");
    }
    const CriticalEpsilon& critical = *word.critical;
    if (word.distribution.exact) {
        return std::isfinite(critical.median)
                   ? tr("Kept with probability ½ at ε = %1.").arg(significant(critical.median, 3))
                   : tr("Kept with probability below ½ at every ε.");
    }
    if (!std::isfinite(critical.median)) {
        return tr("Never kept: another word has the same vector and is returned instead.");
    }
    if (word.distribution.kept >= word.distribution.draws) {
        return critical.high > 0.0 ? tr("Kept in all draws; 95 % of them keep it from ε = %1 on.")
                                         .arg(significant(critical.high, 3))
                                   : tr("Kept in all draws, and by 95 % of them at every ε.");
    }
    if (critical.median == 0.0) {
        return tr("Half of the draws keep the word at every ε.");
    }
    return tr("Half of the draws keep the word from ε = %1 on; 90 % of them begin to between "
              "%2 and %3.")
        .arg(significant(critical.median, 3), significant(critical.low, 3),
             std::isfinite(critical.high) ? significant(critical.high, 3) : QStringLiteral("∞"));
}

}  // namespace epsilens::ui::live
