#include "ui/live/first_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/base/numbers.h"
#include "core/calibration/limits.h"
#include "ui/live/live_model.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

using calibration::Limit;
using calibration::LimitAggregate;

constexpr int kKeptWidth = 68;  ///< of "no limit"
constexpr int kWordsWidth = 60;
constexpr int kAll = 100;
constexpr qsizetype kMostNamed = 6;

/// Out of 100 words, those that a percentile of N_w leaves no exception to.
struct Share {
    LimitAggregate aggregate;
    int words;
};
constexpr std::array kShares{Share{LimitAggregate::p50, 50}, Share{LimitAggregate::p75, 75},
                             Share{LimitAggregate::p95, 95}, Share{LimitAggregate::p99, 99},
                             Share{LimitAggregate::max, 100}};
constexpr const Share& kUsualShare = kShares[2];

const Share* shareOf(LimitAggregate aggregate) {
    const auto* share = std::ranges::find(kShares, aggregate, &Share::aggregate);
    return share == kShares.end() ? nullptr : share;
}

bool isSentence(const Limit& limit) {
    return limit.statistic == calibration::LimitStatistic::nw && limit.percent &&
           limit.relation == calibration::LimitRelation::atMost &&
           shareOf(limit.aggregate) != nullptr;
}

class FirstLimit final : public QWidget {
public:
    FirstLimit(LiveModel& model, std::function<void()> showOthers, QWidget* parent);

private:
    void arrange();
    /// The limit that the sentence says; null where there is none.
    [[nodiscard]] const Limit* own() const;
    void showLimit();
    void showExceptions();
    void showProblem(const QString& problem);
    void takeTyped();
    /// kept  nothing takes the limit away
    void take(std::optional<double> kept);

    LiveModel& m_model;
    AnalysisState& m_state;
    QLineEdit* m_kept;
    QComboBox* m_words;
    QPushButton* m_others;
    QLabel* m_problem;
    QLabel* m_exceptions;
};

FirstLimit::FirstLimit(LiveModel& model, std::function<void()> showOthers, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_state(model.state()),
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
        m_words->addItem(QString::number(share.words));
    }
    m_words->setPlaceholderText(QString::number(kUsualShare.words));
    guardWheel(m_words);
    m_problem->setObjectName(QStringLiteral("firstLimitProblemLabel"));
    m_problem->setWordWrap(true);
    m_exceptions->setObjectName(QStringLiteral("firstLimitExceptionsLabel"));
    m_exceptions->setTextFormat(Qt::PlainText);  // typed words stand in it
    m_exceptions->setWordWrap(true);
    arrange();
    connect(m_kept, &QLineEdit::editingFinished, this, &FirstLimit::takeTyped);
    connect(m_words, &QComboBox::activated, this, [this] {
        // Without a number there is no limit; the choice waits for one.
        if (const Limit* limit = own()) {
            take(limit->value);
        }
    });
    connect(m_others, &QPushButton::clicked, this, std::move(showOthers));
    connect(&m_model, &LiveModel::valuesChanged, this, &FirstLimit::showExceptions);
    m_state.onChange(&AnalysisSettings::limits, this, &FirstLimit::showLimit);
    showLimit();
}

/// One line, two where the text is large.
void FirstLimit::arrange() {
    auto* kept = rowOf({}, kRowSpacing / 2);
    addLabelled(*kept, tr("At mos&t"), m_kept);
    kept->addWidget(new QLabel(tr("of 100 draws may keep a word,"), this), 1);
    auto* words = rowOf({}, kRowSpacing / 2);
    addLabelled(*words, tr("for"), m_words);
    // In a small window beside the details it has two lines.
    auto* rest = new QLabel(tr("of 100 words of the vocabulary."), this);
    rest->setWordWrap(true);
    words->addWidget(rest, 1);
    words->addWidget(m_others);
    auto* sentence = new QBoxLayout(QBoxLayout::LeftToRight);
    sentence->setSpacing(kRowSpacing / 2);
    sentence->addLayout(kept);
    sentence->addLayout(words, 1);
    columnIn(this, 0, {})->addLayout(sentence);
    layout()->addWidget(m_problem);
    layout()->addWidget(m_exceptions);
    followFont(this, [this, sentence](const QFontMetrics& metrics) {
        m_kept->setFixedWidth(scaledToText(kKeptWidth, metrics));
        m_words->setFixedWidth(scaledToText(kWordsWidth, metrics));
        sentence->setDirection(isLargeText(metrics) ? QBoxLayout::TopToBottom
                                                    : QBoxLayout::LeftToRight);
    });
}

const Limit* FirstLimit::own() const {
    const auto found = std::ranges::find_if(m_state.limits(), isSentence);
    return found == m_state.limits().end() ? nullptr : &*found;
}

void FirstLimit::showLimit() {
    const Limit* limit = own();
    m_kept->setText(limit != nullptr ? shortest(limit->value) : QString());
    m_words->setCurrentIndex(
        limit != nullptr ? static_cast<int>(shareOf(limit->aggregate) - kShares.begin()) : -1);
    const auto others = std::ssize(m_state.limits()) - (limit != nullptr ? 1 : 0);
    m_others->setText(others > 0 ? tr("%1 more…").arg(counted(others)) : tr("Add…"));
    showProblem({});
    showExceptions();
}

void FirstLimit::showExceptions() {
    const Limit* limit = own();
    std::vector<std::pair<double, QString>> text;  // share of the draws that keep a word
    for (const LiveWord& word : m_model.words()) {
        if (word.occurrences > 0 && word.outputs && !m_model.isStale()) {
            text.emplace_back(word.distribution.kept / word.distribution.draws, word.typed);
        }
    }
    std::ranges::stable_sort(text, std::greater{}, [](const auto& word) { return word.first; });
    QStringList above;
    for (const auto& [share, typed] : text) {
        if (limit != nullptr && share * kAll > limit->value) {
            above.append(tr("“%1” (%2 of 100)").arg(typed).arg(std::lround(share * kAll)));
        }
    }
    const auto count = above.size();
    m_exceptions->setVisible(count > 0);
    if (count == 0) {
        return;
    }
    const bool areTooMany =
        count * kAll > std::ssize(text) * (kAll - shareOf(limit->aggregate)->words);
    const QString named = above.mid(0, kMostNamed).join(QStringLiteral(", "));
    m_exceptions->setText(
        (areTooMany ? tr("⚠ Your text is kept more than the limit says of the vocabulary: %1 of %2 "
                         "words exceed it, %3.")
                    : tr("Kept more often in your text: %1 of %2 words, %3."))
            .arg(count)
            .arg(text.size())
            .arg(count > kMostNamed ? tr("%1, and %2 more words").arg(named).arg(count - kMostNamed)
                                    : named));
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

void FirstLimit::take(std::optional<double> kept) {
    std::vector<Limit> limits = m_state.limits();
    auto place = std::ranges::find_if(limits, isSentence);
    if (kept) {
        if (place == limits.end()) {
            place = limits.insert(place, Limit{});
        }
        const int chosen = m_words->currentIndex();
        const Share& share =
            chosen < 0 ? kUsualShare : kShares.at(static_cast<std::size_t>(chosen));
        *place = {calibration::LimitStatistic::nw, share.aggregate,
                  calibration::LimitRelation::atMost, *kept, true};
    } else if (place != limits.end()) {
        limits.erase(place);
    }
    m_state.edit(&AnalysisSettings::limits, std::move(limits));
    // Typed anew without a change, the limit is written as ever.
    showLimit();
}

}  // namespace

QWidget* newFirstLimit(LiveModel& model, std::function<void()> showOthers, QWidget* parent) {
    return new FirstLimit(model, std::move(showOthers), parent);
}

}  // namespace epsilens::ui::live
