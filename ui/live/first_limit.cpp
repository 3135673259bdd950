#include "ui/live/first_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <QByteArray>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/base/numbers.h"
#include "core/calibration/limits.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui::live {

namespace {

using calibration::Limit;
using calibration::LimitAggregate;

constexpr int kKeptWidth = 68;  ///< of "no limit"
constexpr int kWordsWidth = 60;
constexpr int kAll = 100;
constexpr qsizetype kMostNamed = 6;

struct Share {
    LimitAggregate aggregate;  ///< a percentile of N_w that leaves the other words out
    const char* words;         ///< of 100
};
constexpr std::array kShares{Share{LimitAggregate::p50, "50"}, Share{LimitAggregate::p75, "75"},
                             Share{LimitAggregate::p95, "95"}, Share{LimitAggregate::p99, "99"},
                             Share{LimitAggregate::max, "100"}};
constexpr const Share& kUsualShare = kShares[2];

/// Out of 100, those that a percentile leaves no exception to.
int wordsOf(LimitAggregate aggregate) {
    const auto* share = std::find_if(kShares.begin(), kShares.end(), [aggregate](const Share& one) {
        return one.aggregate == aggregate;
    });
    return QByteArray(share->words).toInt();
}

/// Whether the sentence can say it.
bool isSentence(const Limit& limit) {
    return limit.statistic == calibration::LimitStatistic::nw && limit.percent &&
           limit.relation == calibration::LimitRelation::atMost &&
           std::any_of(kShares.begin(), kShares.end(),
                       [&limit](const Share& share) { return share.aggregate == limit.aggregate; });
}

}  // namespace

FirstLimit::FirstLimit(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_kept(described(
          new QLineEdit(this), "firstLimitField",
          tr("How many of 100 draws may keep a word, at most"),
          tr("A number from 0 to 100 sets this limit; an empty field sets none. Usual: 50."))),
      m_words(described(new QComboBox(this), "firstLimitWordsComboBox",
                        tr("How many of 100 words this must hold for"),
                        tr("The other words may be kept more often. 100: none may."))),
      m_others(described(new QPushButton(this), "otherLimitsButton", tr("Other limits"),
                         tr("Limits on other statistics, in the details."))),
      m_problem(hintLabel({}, this)),
      m_exceptions(new QLabel(this)) {
    setObjectName(QStringLiteral("firstLimit"));
    m_kept->setAlignment(Qt::AlignRight);
    m_kept->setPlaceholderText(tr("no limit"));
    for (const Share& share : kShares) {
        m_words->addItem(QLatin1String(share.words), static_cast<int>(share.aggregate));
    }
    m_words->setPlaceholderText(QLatin1String(kUsualShare.words));
    guardWheel(m_words);
    m_problem->setObjectName(QStringLiteral("firstLimitProblemLabel"));
    m_problem->setWordWrap(true);
    m_exceptions->setObjectName(QStringLiteral("firstLimitExceptionsLabel"));
    m_exceptions->setTextFormat(Qt::PlainText);  // typed words stand in it
    m_exceptions->setWordWrap(true);
    arrange();
    connect(m_kept, &QLineEdit::editingFinished, this, &FirstLimit::takeTyped);
    connect(m_words, &QComboBox::activated, this, &FirstLimit::takeWords);
    connect(m_others, &QPushButton::clicked, this, &FirstLimit::othersRequested);
    m_state.onChange(&AnalysisSettings::limits, this, &FirstLimit::showLimit);
    showLimit();
}

/// One line, two where the text is large.
void FirstLimit::arrange() {
    const auto line = [this](const QString& before, QWidget* blank, const QString& after,
                             bool mayWrap) {
        auto* row = new QHBoxLayout;
        row->setSpacing(kRowSpacing / 2);
        addLabelled(*row, before, blank);
        auto* rest = new QLabel(after, this);
        followFont(rest, [rest, mayWrap](const QFontMetrics& metrics) {
            rest->setWordWrap(mayWrap || isLargeText(metrics));
        });
        row->addWidget(rest, 1);
        return row;
    };
    QHBoxLayout* kept = line(tr("At mos&t"), m_kept, tr("of 100 draws may keep a word,"), false);
    // It has all the room that is left, in a small window beside the details two lines.
    QHBoxLayout* words = line(tr("for"), m_words, tr("of 100 words of the vocabulary."), true);
    words->addSpacing(kRowSpacing);
    words->addWidget(m_others);
    words->addStretch();
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(kRowSpacing / 2);
    layout->setColumnStretch(1, 1);
    followFont(this, [this, layout, kept, words](const QFontMetrics& metrics) {
        m_kept->setFixedWidth(scaledToText(kKeptWidth, metrics));
        m_words->setFixedWidth(scaledToText(kWordsWidth, metrics));
        const bool isLarge = isLargeText(metrics);
        layout->removeItem(kept);
        layout->removeItem(words);
        const int columns = isLarge ? 2 : 1;
        layout->addLayout(kept, 0, 0, 1, columns);
        layout->addLayout(words, isLarge ? 1 : 0, isLarge ? 0 : 1, 1, columns);
        layout->addWidget(m_problem, isLarge ? 2 : 1, 0, 1, 2);
        layout->addWidget(m_exceptions, isLarge ? 3 : 2, 0, 1, 2);
    });
}

void FirstLimit::showLimit() {
    const std::vector<Limit>& limits = m_state.limits();
    const auto own = std::find_if(limits.begin(), limits.end(), isSentence);
    const bool isSet = own != limits.end();
    m_kept->setText(isSet ? shortest(own->value) : QString());
    m_words->setCurrentIndex(isSet ? m_words->findData(static_cast<int>(own->aggregate)) : -1);
    const auto others = static_cast<qint64>(limits.size()) - (isSet ? 1 : 0);
    m_others->setText(others > 0 ? tr("%1 more…").arg(counted(others)) : tr("Add…"));
    showProblem({});
    showExceptions();
}

void FirstLimit::judge(std::vector<KeptWord> words) {
    m_text = std::move(words);
    showExceptions();
}

void FirstLimit::showExceptions() {
    const std::vector<Limit>& limits = m_state.limits();
    const auto own = std::find_if(limits.begin(), limits.end(), isSentence);
    QStringList above;
    bool areTooMany = false;
    if (own != limits.end()) {
        std::sort(m_text.begin(), m_text.end(),
                  [](const KeptWord& a, const KeptWord& b) { return a.share > b.share; });
        for (const KeptWord& word : m_text) {
            if (word.share * kAll > own->value) {
                above.append(
                    tr("%1 (%2 of 100)").arg(word.typed).arg(std::lround(word.share * kAll)));
            }
        }
        areTooMany = above.size() * kAll >
                     static_cast<qsizetype>(m_text.size()) * (kAll - wordsOf(own->aggregate));
    }
    const auto count = above.size();
    const QString named = count > kMostNamed
                              ? tr("%1, and %2 more words")
                                    .arg(above.first(kMostNamed).join(QStringLiteral(", ")))
                                    .arg(count - kMostNamed)
                              : above.join(QStringLiteral(", "));
    m_exceptions->setText(
        (areTooMany ? tr("⚠ Your text is kept more than the limit says of the vocabulary: %1 of %2 "
                         "words exceed it, %3.")
                    : tr("Kept more often in your text: %1 of %2 words, %3."))
            .arg(count)
            .arg(m_text.size())
            .arg(named));
    m_exceptions->setVisible(count > 0);
}

void FirstLimit::showProblem(const QString& problem) {
    m_problem->setText(problem.isEmpty() ? problem : tr("⚠ %1").arg(problem));
    m_problem->setVisible(!problem.isEmpty());
    setFieldProblem(*m_kept, problem);
}

void FirstLimit::takeTyped() {
    const QString typed = m_kept->text().trimmed();
    if (!m_kept->isModified()) {
        return;
    }
    if (typed.isEmpty()) {
        take(std::nullopt);
    } else if (const auto kept = parseInteger(toStd(typed), "draws", 0, kAll)) {
        take(static_cast<double>(*kept));
    } else {
        showProblem(toQString(kept.error().message));
    }
}

void FirstLimit::takeWords() {
    const std::vector<Limit>& limits = m_state.limits();
    const auto own = std::find_if(limits.begin(), limits.end(), isSentence);
    // Without a number there is no limit; the choice waits for one.
    if (own != limits.end()) {
        take(own->value);
    }
}

/// kept  nothing takes the limit away
void FirstLimit::take(std::optional<double> kept) {
    std::vector<Limit> limits = m_state.limits();
    auto own = std::find_if(limits.begin(), limits.end(), isSentence);
    if (kept) {
        if (own == limits.end()) {
            own = limits.insert(own, Limit{});
        }
        const int chosen = m_words->currentIndex();
        const Share& share =
            chosen < 0 ? kUsualShare : kShares.at(static_cast<std::size_t>(chosen));
        *own = {calibration::LimitStatistic::nw, share.aggregate,
                calibration::LimitRelation::atMost, *kept, true};
    } else if (own != limits.end()) {
        limits.erase(own);
    }
    m_state.edit(&AnalysisSettings::limits, std::move(limits));
    // Typed anew without a change, the limit is written as ever.
    showLimit();
}

}  // namespace epsilens::ui::live
