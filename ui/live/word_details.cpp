#include "ui/live/word_details.h"

#include <cmath>

#include <QLabel>
#include <QVBoxLayout>

#include "core/report/memo_words.h"
#include "ui/live/live_model.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr qsizetype kMostOutputs = 8;

}  // namespace

WordDetails::WordDetails(const LiveModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_heading(headingLabel({}, this)) {
    m_heading->setObjectName(QStringLiteral("detailHeadingLabel"));
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kRowSpacing, 0, kRowSpacing, 0);
    column->setSpacing(kRowSpacing / 2);
    column->addWidget(m_heading);
    m_outputs = addText(*column, "detailOutputsLabel", false);
    m_nearest = addText(*column, "nearestWordsLabel", true);
    m_facts = addText(*column, "detailFactsLabel", true);
    column->addStretch();
    refresh();
}

QLabel* WordDetails::addText(QVBoxLayout& column, const char* objectName, bool isMuted) {
    QLabel* label = isMuted ? hintLabel({}, this) : new QLabel(this);
    label->setObjectName(QLatin1String(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    column.addWidget(label);
    return label;
}

void WordDetails::refresh() {
    const LiveWord* word = m_model.detail();
    const bool isKnown = word != nullptr && word->freshness != Freshness::waiting;
    for (QLabel* part : {m_outputs, m_nearest, m_facts}) {
        part->setVisible(isKnown);
    }
    if (!isKnown) {
        m_heading->setText(word == nullptr ? QString()
                                           : tr("“%1”: being computed…").arg(word->typed));
        for (QLabel* part : {m_outputs, m_nearest, m_facts}) {
            part->clear();
        }
        return;
    }
    const ShownDistribution& shown = word->distribution;
    const report::Hundredths counts = report::hundredthsOf(
        shown.kept / shown.draws, shown.near / shown.draws, shown.far / shown.draws);
    m_heading->setText(tr("“%1” survives %2 of 100 draws").arg(word->typed).arg(counts.kept) +
                       (word->occurrences > 0 ? QString() : tr(" (not in the sentence)")));
    m_outputs->setText(outputsText(*word));
    m_nearest->setText(nearestText(*word));
    m_nearest->setVisible(!m_nearest->text().isEmpty());
    m_facts->setText(criticalFacts(*word));
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
