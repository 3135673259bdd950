#include "core/experiment/attack/word_chain.h"

#include <algorithm>
#include <utility>

namespace epsilens::experiment {
namespace {

// Weight of the bigrams beside the prior.
constexpr double kBigramWeight = 0.5;

std::vector<Row> linkedWords(const Bigrams& bigrams) {
    std::vector<std::uint8_t> isLinked(static_cast<std::size_t>(bigrams.words()));
    for (Row word = 0; word < bigrams.words(); ++word) {
        for (const Bigrams::Follower& follower : bigrams.after(word)) {
            isLinked[static_cast<std::size_t>(word)] = 1;
            isLinked[static_cast<std::size_t>(follower.row)] = 1;
        }
    }
    std::vector<Row> linked;
    for (Row word = 0; word < bigrams.words(); ++word) {
        if (isLinked[static_cast<std::size_t>(word)] != 0) {
            linked.push_back(word);
        }
    }
    return linked;
}

}  // namespace

WordChain::WordChain(VectorD prior, const Bigrams& bigrams)
    : m_prior(std::move(prior)), m_linked(linkedWords(bigrams)) {
    const auto other = static_cast<Eigen::Index>(m_linked.size());
    m_states.assign(static_cast<std::size_t>(m_prior.size()), other);
    for (Eigen::Index state = 0; state < other; ++state) {
        m_states[static_cast<std::size_t>(m_linked[static_cast<std::size_t>(state)])] = state;
    }
    m_law.setZero(other + 1);
    for (std::size_t word = 0; word < m_states.size(); ++word) {
        m_law[m_states[word]] += m_prior[static_cast<Eigen::Index>(word)];
    }
    m_byPrior.setOnes(other + 1);
    for (std::int32_t state = 0; state < static_cast<std::int32_t>(other); ++state) {
        const Row word = m_linked[static_cast<std::size_t>(state)];
        for (const Bigrams::Follower& follower : bigrams.after(word)) {
            m_byPrior[state] = 1.0 - kBigramWeight;
            const double share = kBigramWeight * static_cast<double>(follower.count) /
                                 static_cast<double>(bigrams.total(word));
            m_pairs.push_back({state, static_cast<std::int32_t>(stateOf(follower.row)), share});
        }
    }
    m_pairsBySecond = m_pairs;
    std::ranges::stable_sort(m_pairsBySecond, {}, &Pair::second);
}

// Pairs are passed in an order in which those after each other change different states: no sum
// waits for the one before.
void WordChain::forward(const VectorD& state, VectorD& next) const {
    next = m_byPrior.dot(state) * m_law;
    for (const Pair& pair : m_pairs) {
        next[pair.second] += state[pair.first] * pair.share;
    }
}

void WordChain::backward(const VectorD& state, VectorD& previous) const {
    previous = m_law.dot(state) * m_byPrior;
    for (const Pair& pair : m_pairsBySecond) {
        previous[pair.first] += state[pair.second] * pair.share;
    }
}

}  // namespace epsilens::experiment
