#include "core/experiment/attack/word_chain.h"

#include <utility>

namespace epsilens::experiment {
namespace {

// Weight of the bigrams beside the prior.
constexpr double kBigramWeight = 0.5;

}  // namespace

WordChain::WordChain(VectorD prior, Bigrams bigrams)
    : m_prior(std::move(prior)), m_bigrams(std::move(bigrams)) {}

void WordChain::forward(const VectorD& state, VectorD& next) const {
    next.setZero(words());
    double byPrior = 0.0;
    for (Row word = 0; word < words(); ++word) {
        const double weight = state[word];
        if (weight == 0.0) {
            continue;
        }
        const std::int64_t total = m_bigrams.total(word);
        byPrior += total > 0 ? (1.0 - kBigramWeight) * weight : weight;
        const double share = kBigramWeight * weight / static_cast<double>(total);
        for (const Bigrams::Follower& follower : m_bigrams.after(word)) {
            next[follower.row] += share * static_cast<double>(follower.count);
        }
    }
    next += byPrior * m_prior;
}

void WordChain::backward(const VectorD& state, VectorD& previous) const {
    previous.resize(words());
    const double byPrior = m_prior.dot(state);
    for (Row word = 0; word < words(); ++word) {
        double sum = 0.0;
        for (const Bigrams::Follower& follower : m_bigrams.after(word)) {
            sum += static_cast<double>(follower.count) * state[follower.row];
        }
        const std::int64_t total = m_bigrams.total(word);
        previous[word] = total > 0 ? kBigramWeight * sum / static_cast<double>(total) +
                                         (1.0 - kBigramWeight) * byPrior
                                   : byPrior;
    }
}

}  // namespace epsilens::experiment
