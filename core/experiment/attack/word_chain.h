#pragma once

#include "core/base/eigen.h"
#include "core/experiment/attack/bigrams.h"

namespace epsilens::experiment {

/// How one word follows another: a Markov chain,
///   P(w|v) = 1/2 count(v w) / total(v) + 1/2 pi(w);  pi(w) where nothing is known to follow v.
/// A step of it costs O(V + pairs), because the second term is the same for all v.
class WordChain {
public:
    /// prior  pi, V entries, also the law of the first word
    WordChain(VectorD prior, Bigrams bigrams);

    [[nodiscard]] const VectorD& prior() const { return m_prior; }
    [[nodiscard]] Row words() const { return static_cast<Row>(m_prior.size()); }
    /// next(w) = sum_v state(v) P(w|v)
    void forward(const VectorD& state, VectorD& next) const;
    /// previous(v) = sum_w P(w|v) state(w)
    void backward(const VectorD& state, VectorD& previous) const;

private:
    VectorD m_prior;
    Bigrams m_bigrams;
};

}  // namespace epsilens::experiment
