#include "ui/state/guarantee_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QRegularExpression>

#include "core/base/bound_text.h"
#include "core/base/pass_on.h"
#include "ui/state/mechanism_neighbours.h"
#include "ui/state/odds.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kSuggestions = 3;
constexpr int kNearPairs = 5;
constexpr int kDigits = 4;
constexpr int kSentenceRestMs = 400;
constexpr std::size_t kMostOfSentence = 8;
constexpr qsizetype kMostLetters = 2'000;

/// The noise by whose distance words are nearest.
mechanism::Mechanism noiseOf(const AnalysisState& state) {
    const bool isBall = state.mechanism().metric() == metric::Metric::poincare;
    return isBall ? mechanism::Mechanism(mechanism::Hyperbolic{}) : mechanism::Laplace{};
}

/// Each of some words with the words nearest to it, nearest first.
Result<std::vector<PromisePair>> nearestPairs(const engine::SearchSpace& space,
                                              const mechanism::Mechanism& noise,
                                              const std::vector<Word>& words, int count,
                                              const JobContext& job) {
    std::vector<embedding::Row> asked;
    for (const Word& word : words) {
        asked.push_back(word.row());
    }
    ASSIGN_OR_RETURN(const auto near, noiseNeighbours(space, noise, asked, count, job));
    std::vector<PromisePair> pairs;
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (const embedding::Row row : near[i].rows) {
            pairs.push_back({words[i], Word(space.handle(), row)});
        }
    }
    return pairs;
}

}  // namespace

GuaranteeModel::GuaranteeModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_speller(tr("Looking for similar words"),
                [this](const Result<QStringList>& similar) {
                    if (similar) {
                        Q_EMIT unknownWord(m_unknown, *similar);
                    }
                }),
      m_finder(tr("Finding the nearest words"),
               [this](Result<std::vector<PromisePair>> pairs) {
                   if (pairs) {
                       m_near = std::move(*pairs);
                       take(m_near.front());
                   }
               }),
      m_sentenceFinder(tr("Finding the nearest words"),
                       [this](Result<std::vector<PromisePair>> pairs) {
                           if (pairs) {
                               m_ofSentence = std::move(*pairs);
                           }
                       }),
      m_sentenceRest(kSentenceRestMs) {
    connect(&m_state, &AnalysisState::sentenceChanged, &m_sentenceRest,
            qOverload<>(&QTimer::start));
    connect(&m_sentenceRest, &QTimer::timeout, this, &GuaranteeModel::followSentence);
    connect(&m_state, &AnalysisState::selectedWordChanged, this, &GuaranteeModel::followSelection);
    connect(&m_state, &AnalysisState::embeddingDropped, this, &GuaranteeModel::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &GuaranteeModel::followEmbedding);
    m_state.onChange(&AnalysisSettings::chosen, this, &GuaranteeModel::prepare);
    m_state.onChange(&AnalysisSettings::epsilon, this, &GuaranteeModel::follow);
    followEmbedding();
}

void GuaranteeModel::forget() {
    m_speller.drop();
    m_finder.drop();
    // Their spelling may be known to the next embedding, too.
    m_before = {firstWord(), secondWord()};
    m_words.reset();
    m_last.reset();
    m_near.clear();
    m_sentenceFinder.drop();
    m_ofSentence.clear();
    m_prepared.reset();
    m_guarantee.reset();
}

void GuaranteeModel::followEmbedding() {
    if (const auto& embedding = m_state.embedding()) {
        const auto first = findWord(embedding, m_before[0]);
        const auto second = findWord(embedding, m_before[1]);
        if (first && second && *first != *second) {
            m_words = std::array{*first, *second};
        } else if (const auto rows = exampleWords(embedding->vocabulary())) {
            m_words = std::array{Word(embedding, rows->first), Word(embedding, rows->second)};
        }
    }
    prepare();
    m_sentenceRest.start();
}

bool GuaranteeModel::knows(const QString& spelling) const {
    return m_state.embedding() && findWord(m_state.embedding(), spelling.trimmed()).has_value();
}

std::vector<Word> GuaranteeModel::wordsOfSentence() const {
    static const QRegularExpression kBetween(QStringLiteral("[^\\p{L}\\p{N}'’-]+"));
    std::vector<Word> words;
    // Of a long text the beginning, which is on the screen.
    for (const QString& typed :
         m_state.sentence().left(kMostLetters).split(kBetween, Qt::SkipEmptyParts)) {
        const auto word = findWord(m_state.embedding(), typed);
        if (word && std::find(words.begin(), words.end(), *word) == words.end()) {
            words.push_back(*word);
        }
    }
    // Short words are articles and prepositions as a rule.
    while (words.size() > kMostOfSentence) {
        words.erase(std::min_element(words.begin(), words.end(), [](const Word& a, const Word& b) {
            return a.text().size() < b.text().size();
        }));
    }
    return words;
}

void GuaranteeModel::followSentence() {
    if (canFind()) {
        find(m_sentenceFinder, wordsOfSentence(), 1);
    }
}

void GuaranteeModel::followSelection() {
    if (m_state.selectedWord() && canFind()) {
        find(m_finder, {*m_state.selectedWord()},
             std::min(kNearPairs, static_cast<int>(m_state.embedding()->wordCount()) - 1));
    }
}

bool GuaranteeModel::canFind() const {
    return m_state.searchSpace() && m_state.embedding()->wordCount() >= 2;
}

void GuaranteeModel::find(JobRunner<std::vector<PromisePair>>& finder, std::vector<Word> words,
                          int count) const {
    finder.start(
        [space = m_state.searchSpace(), noise = noiseOf(m_state), words = std::move(words),
         count](const JobContext& job) { return nearestPairs(*space, noise, words, count, job); });
}

void GuaranteeModel::prepare() {
    m_prepared.reset();
    m_problem.clear();
    if (m_state.embedding()) {
        auto prepared =
            mechanism::PreparedMechanism::create(m_state.embedding(), m_state.mechanism());
        if (prepared) {
            m_prepared.emplace(std::move(*prepared));
        } else {
            m_problem = toQString(prepared.error().message);
        }
    }
    if (m_prepared && m_words) {
        m_distance = m_prepared->metric().distance(m_words->front().row(), m_words->back().row());
    }
    follow();
    Q_EMIT promiseChanged();
}

std::optional<double> GuaranteeModel::lossAt(double epsilon) const {
    if (!m_prepared || !m_words) {
        return std::nullopt;
    }
    const auto guarantee = m_prepared->guarantee(epsilon);
    return guarantee ? std::optional(mechanism::pairLoss(*guarantee, m_distance)) : std::nullopt;
}

mechanism::PromiseReach GuaranteeModel::reach(double factor) const {
    return m_prepared && m_words ? mechanism::promiseReach(*m_prepared, m_distance, factor)
                                 : mechanism::PromiseReach{factor, std::nullopt};
}

void GuaranteeModel::follow() {
    m_guarantee.reset();
    if (m_prepared) {
        auto guarantee = m_prepared->guarantee(m_state.epsilon());
        m_problem = guarantee ? QString() : toQString(guarantee.error().message);
        if (guarantee) {
            m_guarantee = std::move(*guarantee);
        }
    }
    Q_EMIT changed();
}

QString GuaranteeModel::caution() const {
    return m_state.embedding() && m_state.mechanism().parameters().law == mechanism::RadialLaw::eq7
               ? tr("Not ε·d_H as the paper says: the law of Eq. 7 costs m = %1 more.")
                     .arg(m_state.embedding()->dimensions())
               : QString();
}

QString GuaranteeModel::sentence() const {
    if (!m_guarantee) {
        return {};
    }
    QString text = toQString(mechanism::guaranteeSentence(*m_guarantee));
    text.front() = text.front().toUpper();
    return text + tr(".");
}

QString GuaranteeModel::euclideanReading() const {
    if (!m_guarantee || !m_guarantee->euclidean ||
        m_guarantee->metric == metric::Metric::euclidean) {
        return {};
    }
    return tr("Read in Euclidean distance: at most %1 per unit, a guarantee in all directions; in "
              "no direction is the bound below %2 per unit.")
        .arg(toQString(formatAtMost((*m_guarantee->euclidean)[1], kDigits)),
             toQString(formatAtLeast((*m_guarantee->euclidean)[0], kDigits)));
}

QString GuaranteeModel::wordAt(int place) const {
    return m_words ? (*m_words)[static_cast<std::size_t>(place)].text() : QString();
}

void GuaranteeModel::setWords(const QString& first, const QString& second) {
    if (!m_state.embedding()) {
        return;
    }
    const auto one = findWord(m_state.embedding(), first);
    const auto other = findWord(m_state.embedding(), second);
    if (one && other) {
        take({*one, *other});
    }
}

void GuaranteeModel::take(const PromisePair& pair) {
    if (pair != m_words) {
        m_last = std::exchange(m_words, pair);
        prepare();
    }
}

void GuaranteeModel::setWord(int place, const QString& spelling) {
    const QString wanted = spelling.trimmed();
    if (!m_words || wanted.isEmpty() || wanted == wordAt(place)) {
        Q_EMIT changed();
        return;
    }
    if (const auto word = findWord(m_state.embedding(), wanted)) {
        PromisePair pair = *m_words;
        pair.at(static_cast<std::size_t>(place)) = *word;
        take(pair);
        return;
    }
    m_unknown = wanted;
    m_speller.start([embedding = m_state.embedding(),
                     wanted](const JobContext& /*job*/) -> Result<QStringList> {
        return nearestSpellings(*embedding, wanted, kSuggestions);
    });
}

}  // namespace epsilens::ui
