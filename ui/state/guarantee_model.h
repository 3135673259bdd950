#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/mechanism/prepared_mechanism.h"
#include "core/mechanism/promise_reach.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/state/word.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

/// Two words of one embedding whose odds are told.
using PromisePair = std::array<Word, 2>;

/// What the mechanism as set really guarantees, in words and for two words, without a window. The
/// two are a word that is selected anywhere and the nearest other word, until others are chosen.
class GuaranteeModel : public QObject {
    Q_OBJECT

public:
    explicit GuaranteeModel(AnalysisState& state, QObject* parent = nullptr);

    /// Nothing without an embedding, and where the mechanism cannot run; see problem().
    [[nodiscard]] const std::optional<mechanism::Guarantee>& guarantee() const {
        return m_guarantee;
    }
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// Why the constant is not the epsilon that was set; may be empty.
    [[nodiscard]] QString caution() const;
    /// The guarantee as one sentence.
    [[nodiscard]] QString sentence() const;
    /// The Euclidean reading; empty where there is none.
    [[nodiscard]] QString euclideanReading() const;
    /// Of the two words, in the metric of the guarantee.
    [[nodiscard]] double distance() const { return m_distance; }

    /// Largest log ratio of the two words at an epsilon; nothing where there are no words, or no
    /// mechanism at this epsilon.
    [[nodiscard]] std::optional<double> lossAt(double epsilon) const;
    /// Up to which epsilon the odds of the two words change by at most a factor; without an epsilon
    /// where there are no words.
    [[nodiscard]] mechanism::PromiseReach reach(double factor) const;

    /// The two words; nothing before any are chosen.
    [[nodiscard]] const std::optional<PromisePair>& words() const { return m_words; }
    /// Their spellings.
    [[nodiscard]] QString firstWord() const { return wordAt(0); }
    [[nodiscard]] QString secondWord() const { return wordAt(1); }
    /// Takes another word; an unknown one ends in unknownWord().
    ///
    /// place  0 or 1
    void setWord(int place, const QString& spelling);
    /// Takes two words of the vocabulary; if one is unknown, nothing happens.
    void setWords(const QString& first, const QString& second);
    /// The word selected last with each of the words nearest to it, nearest first; empty before one
    /// is selected.
    [[nodiscard]] const std::vector<PromisePair>& nearPairs() const { return m_near; }
    /// Words of the typed text, the longest ones, in its order, each with its nearest word; empty
    /// until the text has rested for a moment.
    [[nodiscard]] const std::vector<PromisePair>& sentencePairs() const { return m_ofSentence; }
    /// Whether the vocabulary has a word with this spelling.
    [[nodiscard]] bool knows(const QString& spelling) const;
    /// The two words before the present ones, nothing without such.
    [[nodiscard]] const std::optional<PromisePair>& pairBefore() const { return m_last; }

Q_SIGNALS:
    void changed();
    /// Another mechanism or other words: lossAt() and reach() have other values.
    void promiseChanged();
    /// similar  words of the vocabulary spelt most alike, may be empty
    void unknownWord(const QString& spelling, const QStringList& similar);

private:
    void forget();
    void followEmbedding();
    void prepare();
    void follow();
    void followSelection();
    [[nodiscard]] std::vector<Word> wordsOfSentence() const;
    void followSentence();
    [[nodiscard]] bool canFind() const;
    void find(JobRunner<std::vector<PromisePair>>& finder, std::vector<Word> words,
              int count) const;
    void take(const PromisePair& pair);
    [[nodiscard]] QString wordAt(int place) const;

    AnalysisState& m_state;
    std::optional<mechanism::PreparedMechanism> m_prepared;
    std::optional<mechanism::Guarantee> m_guarantee;
    QString m_problem;
    std::optional<PromisePair> m_words;
    std::optional<PromisePair> m_last;  ///< chosen before m_words
    std::vector<PromisePair> m_near;
    std::vector<PromisePair> m_ofSentence;
    std::array<QString, 2> m_before;  ///< of the embedding of before
    double m_distance = 0.0;          ///< of the words, in the guarantee's metric
    QString m_unknown;
    JobRunner<QStringList> m_speller;
    JobRunner<std::vector<PromisePair>> m_finder;  ///< of a word and those nearest to it
    JobRunner<std::vector<PromisePair>> m_sentenceFinder;
    RestTimer m_sentenceRest;
};

}  // namespace epsilens::ui
