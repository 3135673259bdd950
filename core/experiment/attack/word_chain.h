#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/experiment/attack/bigrams.h"

namespace epsilens::experiment {

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

}  // namespace epsilens::experiment
