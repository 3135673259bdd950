#include "core/experiment/attack/word_chain.h"

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
    for (const Row word : m_linked) {
        m_begins.push_back(m_followers.size());
        for (const Bigrams::Follower& follower : bigrams.after(word)) {
            m_followers.push_back(
                {stateOf(follower.row), kBigramWeight * static_cast<double>(follower.count) /
                                            static_cast<double>(bigrams.total(word))});
        }
    }
    m_begins.push_back(m_followers.size());
}

void WordChain::forward(const VectorD& state, VectorD& next) const {
    next.setZero(states());
    double byPrior = state[otherState()];
    for (std::size_t from = 0; from < m_linked.size(); ++from) {
        const double weight = state[static_cast<Eigen::Index>(from)];
        if (weight == 0.0) {
            continue;
        }
        const std::span<const Follower> followers = after(from);
        byPrior += followers.empty() ? weight : (1.0 - kBigramWeight) * weight;
        for (const Follower& follower : followers) {
            next[follower.state] += weight * follower.share;
        }
    }
    next += byPrior * m_law;
}

void WordChain::backward(const VectorD& state, VectorD& previous) const {
    const double byPrior = m_law.dot(state);
    previous.setConstant(states(), byPrior);
    for (std::size_t from = 0; from < m_linked.size(); ++from) {
        const std::span<const Follower> followers = after(from);
        if (followers.empty()) {
            continue;
        }
        double sum = (1.0 - kBigramWeight) * byPrior;
        for (const Follower& follower : followers) {
            sum += follower.share * state[follower.state];
        }
        previous[static_cast<Eigen::Index>(from)] = sum;
    }
}

}  // namespace epsilens::experiment
