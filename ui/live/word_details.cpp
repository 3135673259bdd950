#include "ui/live/word_details.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "core/mechanism/noise_margin.h"
#include "core/report/memo_words.h"
#include "ui/live/live_model.h"
#include "ui/live/output_icons.h"
#include "ui/state/density_button.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/session_results.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/low_pages.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr std::size_t kMostMargins = 5;
constexpr qsizetype kMostOutputs = 8;
constexpr int kLeastOutputsWidth = 70;

VectorD vectorOf(const embedding::PreparedEmbedding& embedding, Row row) {
    return embedding.vectors().row(row).cast<double>().transpose();
}

QVBoxLayout* columnOf(QWidget& page) {
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kRowSpacing / 2);
    return column;
}

}  // namespace

WordDetails::WordDetails(const LiveModel& model, SessionResults& results, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_results(results),
      m_heading(headingLabel({}, this)),
      m_outputPage(new QWidget(this)),
      m_marginPage(new QWidget(this)) {
    m_heading->setObjectName(QStringLiteral("detailHeadingLabel"));
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    buildOutputs();
    buildMargins();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kRowSpacing, 0, kRowSpacing, 0);
    layout->setSpacing(kRowSpacing / 2);
    layout->addWidget(m_heading);
    layout->addWidget(m_outputPage);
    layout->addWidget(m_marginPage);
    layout->addStretch();
    connect(&m_results, &SessionResults::densityChanged, this, &WordDetails::refresh);
    refresh();
}

void WordDetails::takeTurnsIn(QWidget& area) {
    auto* pages = new LowPages(
        area, {{*m_outputPage, tr("What it becomes")}, {*m_marginPage, tr("What pulls it away")}});
    pages->button()->setToolTip(
        tr("What draws make of the word, and which neighbours it is drawn "
           "to: those near it in a direction where the noise is wide."));
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(1, pages->button(), 0, Qt::AlignLeft);
}

void WordDetails::buildOutputs() {
    auto* page = new QHBoxLayout(m_outputPage);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(kRowSpacing);
    m_icons = new OutputIcons(m_outputPage);
    page->addWidget(m_icons, 0, Qt::AlignTop);
    m_outputs = addText(*page, "detailOutputsLabel", false);
    m_outputs->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    // Beside the icons a wrapped text would ask for more than a small window has.
    followFont(m_outputs, [this](const QFontMetrics& metrics) {
        m_outputs->setMinimumWidth(scaledToText(kLeastOutputsWidth, metrics));
    });
}

void WordDetails::buildMargins() {
    auto* page = columnOf(*m_marginPage);
    m_marginTitle = addText(*page, "marginTitleLabel", true);
    m_marginTitle->setText(
        tr("What pulls it away: half the distance to a neighbour, against the "
           "spread of the noise in that direction"));
    m_marginTitle->setToolTip(
        tr("Noise that carries a word more than half way to a neighbour makes that neighbour its "
           "replacement. The shorter that way against the spread of the noise, the stronger the "
           "neighbour pulls."));
    m_margins = new MarginList(m_marginPage);
    page->addWidget(m_margins);
    m_nearest = addText(*page, "nearestWordsLabel", true);
    m_facts = addText(*page, "detailFactsLabel", true);
    m_density = new DensityButton(m_results, tr("Compute density rank"), m_marginPage);
    m_density->setObjectName(QStringLiteral("liveDensityButton"));
    page->addWidget(m_density, 0, Qt::AlignLeft);
}

QLabel* WordDetails::addText(QBoxLayout& page, const char* objectName, bool isMuted) {
    QWidget* parent = page.parentWidget();
    QLabel* label = isMuted ? hintLabel({}, parent) : new QLabel(parent);
    label->setObjectName(QLatin1String(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    page.addWidget(label, page.direction() == QBoxLayout::LeftToRight ? 1 : 0);
    return label;
}

void WordDetails::refresh() {
    const LiveWord* word = m_model.detail();
    const bool isKnown = word != nullptr && word->freshness != Freshness::waiting;
    for (QWidget* part : {static_cast<QWidget*>(m_icons), static_cast<QWidget*>(m_outputs),
                          static_cast<QWidget*>(m_facts)}) {
        part->setVisible(isKnown);
    }
    if (!isKnown) {
        m_heading->setText(word == nullptr ? QString()
                                           : tr("“%1”: being computed…").arg(word->typed));
        m_outputs->clear();
        m_facts->clear();
        showMargins({}, {});
        return;
    }
    const ShownDistribution& shown = word->distribution;
    const report::Hundredths counts = report::hundredthsOf(
        shown.kept / shown.draws, shown.near / shown.draws, shown.far / shown.draws);
    m_heading->setText(tr("“%1” survives %2 of 100 draws").arg(word->typed).arg(counts.kept) +
                       (word->occurrences > 0 ? QString() : tr(" (not in the sentence)")));
    m_icons->setCounts(counts.kept, counts.near, counts.far);
    m_icons->setDimmed(word->freshness == Freshness::stale);
    m_outputs->setText(outputsText(*word));
    std::vector<MarginRow> rows = margins(*word);
    const QString nearest = rows.empty() ? nearestText(*word) : QString();
    showMargins(std::move(rows), nearest);
    m_facts->setText(
        QStringList{criticalFacts(*word), densityFacts(*word)}.join(QLatin1Char(' ')).trimmed());
}

QString WordDetails::outputsText(const LiveWord& word) {
    const ShownDistribution& shown = word.distribution;
    QStringList parts;
    for (const ShownDistribution::Output& output : shown.outputs) {
        if (output.outputClass != statistics::OutputClass::kept && parts.size() < kMostOutputs &&
            output.count >= kLeastShown) {
            parts.append(tr("%1 %2").arg(shown.spelling(output), countText(shown, output.count)));
        }
    }
    if (!shown.exact && shown.kept >= shown.draws) {
        return tr("No other word in %1 draws.").arg(counted(shown.draws));
    }
    const QString others = tr("%1 different words in %2 draws")
                               .arg(countText(shown, shown.distinct), counted(shown.draws));
    if (!parts.isEmpty()) {
        return tr("Most often instead: %1 … %2.").arg(parts.join(tr(" · ")), others);
    }
    return shown.kept < shown.draws && shown.exact
               ? tr("Every other word comes out in fewer than 0.1 of %1 draws; %2.")
                     .arg(counted(shown.draws), others)
               : others;
}

void WordDetails::showMargins(std::vector<MarginRow> rows, const QString& nearest) {
    m_marginTitle->setVisible(!rows.empty());
    m_margins->setVisible(!rows.empty());
    m_margins->setRows(std::move(rows), m_model.state().mechanism().lambda());
    m_nearest->setText(nearest);
    m_nearest->setVisible(!nearest.isEmpty());
}

/// None for mechanisms without noise in the space of the vectors, or where lambda is impossible.
std::vector<MarginRow> WordDetails::margins(const LiveWord& word) const {
    const NeighbourhoodHandle neighbours = m_model.neighbours(*word.word);
    const mechanism::Mechanism mechanism = m_model.state().mechanism();
    if (!neighbours || !isElliptical(mechanism)) {
        return {};
    }
    const embedding::EmbeddingHandle& embedding = word.word->embedding();
    const auto noise =
        mechanism::EllipticalNoise::create({embedding, &embedding->basis}, mechanism.lambda());
    if (!noise) {
        return {};
    }
    std::vector<MarginRow> rows;
    for (std::size_t i = 0; i < neighbours->rows.size() && rows.size() < kMostMargins; ++i) {
        if (neighbours->distances[i] > 0.0) {
            const Row row = neighbours->rows[i];
            const mechanism::NoiseMargin margin =
                mechanism::noiseMargin(*noise, vectorOf(*embedding, word.word->row()),
                                       vectorOf(*embedding, row), m_model.state().epsilon());
            rows.push_back({toQString(embedding->vocabulary().word(row)), margin.half,
                            margin.spherical, margin.elliptical});
        }
    }
    return rows;
}

QString WordDetails::nearestText(const LiveWord& word) const {
    const NeighbourhoodHandle neighbours = m_model.neighbours(*word.word);
    QStringList parts;
    for (std::size_t i = 0;
         neighbours && i < neighbours->rows.size() && parts.size() < kMostOutputs; ++i) {
        parts.append(
            tr("%1 at %2")
                .arg(toQString(word.word->embedding()->vocabulary().word(neighbours->rows[i])),
                     significant(neighbours->distances[i], 3)));
    }
    return parts.isEmpty() ? QString() : tr("Nearest: %1").arg(parts.join(tr(" · ")));
}

QString WordDetails::densityFacts(const LiveWord& word) const {
    const VocabularyDensityHandle& density = m_results.density();
    if (!density || density->embedding != word.word->embedding()) {
        return {};
    }
    const statistics::DensityProfile& profile = density->profile;
    const auto row = static_cast<std::size_t>(word.word->row());
    return tr("Density rank %1 of %2 (1 is the sparsest): the nearest other word is at distance "
              "%3.")
        .arg(counted(profile.ranks[row]), counted(static_cast<qint64>(profile.ranks.size())),
             significant(profile.distances[row], 3));
}

QString WordDetails::criticalFacts(const LiveWord& word) {
    if (!word.critical) {
        return tr(
            "Drawn at this ε. Added noise has no half-kept ε: what a draw returns may change back "
            "and forth as ε grows.");
    }
    const CriticalEpsilon& critical = *word.critical;
    if (word.distribution.exact) {
        return std::isfinite(critical.median) ? tr("Half-kept ε = %1: from there on the word is "
                                                   "kept with probability ½ or more.")
                                                    .arg(significant(critical.median, 3))
                                              : tr("Kept with probability below ½ at every ε.");
    }
    if (!std::isfinite(critical.median)) {
        return tr("Never kept: another word has the same vector and is returned instead.");
    }
    if (word.distribution.kept >= word.distribution.draws) {
        return critical.high > 0.0 ? tr("Kept in all draws; 95% of them keep it from ε = %1 on.")
                                         .arg(significant(critical.high, 3))
                                   : tr("Kept in all draws, and by 95% of them at every ε.");
    }
    if (critical.median == 0.0) {
        return tr("Half of the draws keep the word at every ε.");
    }
    return tr("Half-kept ε = %1: from there on half of the draws keep the word; 90% of them start "
              "to keep it "
              "between %2 and %3.")
        .arg(significant(critical.median, 3), significant(critical.low, 3),
             std::isfinite(critical.high) ? significant(critical.high, 3) : QStringLiteral("∞"));
}

}  // namespace epsilens::ui::live
