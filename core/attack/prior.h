#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/vocabulary.h"
#include "core/text/letter_case.h"

namespace epsilens::attack {

using embedding::Row;

/// The row of a word that the vocabulary does not have.
inline constexpr Row kUnknownWord = -1;

/// What an attacker believes about a word before seeing its output: a probability for each of the V
/// words, all > 0.

/// How often each word occurs. Rows outside [0, V), such as kUnknownWord, do not count.
///
/// words  V
[[nodiscard]] std::vector<std::int64_t> wordCounts(std::span<const Row> tokens, Row words);

/// pi(w) = (count(w) + 1) / (N + V), N the sum of the counts: every word is possible.
[[nodiscard]] VectorD smoothedPrior(std::span<const std::int64_t> counts);

[[nodiscard]] VectorD uniformPrior(Row words);

/// The words with the largest prior, largest first, ties to the lower row; all where there are
/// fewer than `count`.
[[nodiscard]] std::vector<Row> commonestWords(const VectorD& prior, std::int64_t count);

/// Words drawn from the prior, each by a number of its own.
[[nodiscard]] std::vector<Row> drawWords(const VectorD& prior, std::int64_t count,
                                         std::uint64_t seed);

/// How often each known word follows each other one within a line of a text. Pairs with an unknown
/// word do not count.
class Bigrams {
public:
    struct Follower {
        Row row = 0;
        std::int64_t count = 0;
    };

    Bigrams() = default;
    /// tokens    rows of a vocabulary of V words; others are unknown words
    /// lineEnds  end of each line in tokens, rising
    /// words     V
    Bigrams(std::span<const Row> tokens, std::span<const std::size_t> lineEnds, Row words);

    [[nodiscard]] Row words() const { return static_cast<Row>(m_totals.size()); }
    /// The words that follow a word, ascending.
    [[nodiscard]] std::span<const Follower> after(Row word) const;
    /// How often any known word follows it: the sum of the counts above.
    [[nodiscard]] std::int64_t total(Row word) const {
        return m_totals[static_cast<std::size_t>(word)];
    }
    /// One for each different pair, by first word.
    [[nodiscard]] const std::vector<Follower>& followers() const { return m_followers; }

private:
    std::vector<Follower> m_followers{};  ///< of all words, one after the other
    std::vector<std::size_t> m_begins{};  ///< V + 1
    std::vector<std::int64_t> m_totals{};
};

/// A language model of pairs by interpolated absolute discounting,
///   P(w|v) = max(c(vw) - D2, 0) / c(v.) + D2 n(v.) / c(v.) P(w),
///   P(w)   = max(c(w) - D1, 0) / N + D1 n / (N V),
/// n the number of different followers, or of different words, and D = n1 / (n1 + 2 n2) with n1 and
/// n2 the numbers of pairs, or words, seen once and twice (1/2 without both). After a word that
/// nothing followed, and at the beginning of a line, P(w|v) is P(w).
/// Source: Ney, Essen, Kneser 1994; Chen and Goodman 1999, section 2.6
class BigramModel {
public:
    /// tokens, lineEnds, words  as Bigrams takes them; V >= 1
    BigramModel(std::span<const Row> tokens, std::span<const std::size_t> lineEnds, Row words);

    /// P(word|previous). previous  kUnknownWord for the beginning of a line and for unknown words
    [[nodiscard]] double probability(Row previous, Row word) const;
    /// 1 + number of words that are more probable than the given one.
    [[nodiscard]] std::int64_t rank(Row previous, Row word) const;

private:
    /// Weight of P(w) after a word, 1 where nothing followed it.
    [[nodiscard]] double backOff(Row previous) const;

    Bigrams m_bigrams;
    double m_discount = 0.5;             ///< D2
    VectorD m_unigrams{};                ///< P(w)
    std::vector<double> m_descending{};  ///< the same, largest first
};

/// How one word follows another: a Markov chain,
///   P(w|v) = 1/2 count(v w) / total(v) + 1/2 pi(w);  pi(w) where nothing is known to follow v.
///
/// Words that stand in no pair are told apart only by pi, so that they share a state: its states
/// are the linked words, ascending, and after them any other word. Nothing is lost by it; a step
/// costs O(linked words + pairs) whatever the vocabulary. Derivation: reconstruction.md
class WordChain {
public:
    /// prior  pi, V entries, also the law of the first word
    WordChain(VectorD prior, const Bigrams& bigrams);

    [[nodiscard]] const VectorD& prior() const { return m_prior; }
    /// Words that follow or are followed by one, ascending.
    [[nodiscard]] std::span<const Row> linked() const { return m_linked; }
    [[nodiscard]] Eigen::Index states() const { return m_law.size(); }
    [[nodiscard]] Eigen::Index otherState() const { return m_law.size() - 1; }
    [[nodiscard]] Eigen::Index stateOf(Row word) const {
        return m_states[static_cast<std::size_t>(word)];
    }
    /// pi of the states: the law of the first word.
    [[nodiscard]] const VectorD& law() const { return m_law; }

    /// next(w) = sum_v state(v) P(w|v)
    void forward(const VectorD& state, VectorD& next) const;
    /// previous(v) = sum_w P(w|v) state(w). The state of any other word is the mean over those
    /// words, weighted by pi.
    void backward(const VectorD& state, VectorD& previous) const;

private:
    /// A word and one that follows it, by their states.
    struct Pair {
        std::int32_t first = 0;
        std::int32_t second = 0;
        double share = 0.0;  ///< bigram weight times count / total
    };

    VectorD m_prior;
    VectorD m_law{};
    std::vector<Row> m_linked{};
    std::vector<Eigen::Index> m_states{};  ///< of each word
    VectorD m_byPrior{};                   ///< how far pi alone tells what follows each state
    std::vector<Pair> m_pairs{};           ///< by first word
    std::vector<Pair> m_pairsBySecond{};
};

/// A text from which an attacker knows how often words occur, and which follow each other.
struct ReferenceText {
    std::string file{};                  ///< name without folders
    std::vector<std::int64_t> counts{};  ///< of each of V words
    Bigrams bigrams{};                   ///< without pairs where only counts are known
    std::int64_t knownWords = 0;         ///< sum of the counts
};

using ReferenceTextHandle = std::shared_ptr<const ReferenceText>;

/// Reads the file of --prior: a text, or in every line a word, a tab and a count.
///
/// letterCase  as words of the data set are looked up
/// Fails with badFile, also where no word of it is in the vocabulary, and with cancelled.
[[nodiscard]] Result<ReferenceTextHandle> readReferenceText(const std::string& path,
                                                            const embedding::Vocabulary& vocabulary,
                                                            text::CasePolicy letterCase,
                                                            const JobContext& job = {});

}  // namespace epsilens::attack
