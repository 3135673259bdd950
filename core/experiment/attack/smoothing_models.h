#pragma once

#include <cstddef>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"

namespace epsilens::experiment {

using embedding::Row;

/// Models of a mechanism that fall with distance, h(w, u) = e^{-rate d(w, u)} / Z(w), at several
/// rates that share their distances. Z(w) is the sum over all u where the vocabulary has at most
/// kSummedWords; else it is estimated from the word itself and as many words of the vocabulary at
/// equal steps. What an attacker
/// who guesses by it loses is his own loss: his success stays a lower bound. Derivation:
/// sampled_reconstruction.md
class SmoothingModels {
public:
    static constexpr Row kSummedWords = 2048;

    /// rates  > 0, finite
    /// Fails with cancelled.
    [[nodiscard]] static Result<SmoothingModels> create(const engine::MetricSpace& space,
                                                        std::vector<double> rates, int threads = 0,
                                                        const JobContext& job = {});

    [[nodiscard]] std::size_t count() const { return m_rates.size(); }
    /// ln h(w, u) by the distance of w and u.
    [[nodiscard]] double logModel(std::size_t model, Row word, float distance) const {
        return -m_rates[model] * static_cast<double>(distance) -
               static_cast<double>(m_logTotals[model][word]);
    }

    [[nodiscard]] double rate(std::size_t model) const { return m_rates[model]; }

    /// One of the models alone.
    [[nodiscard]] SmoothingModels only(std::size_t model) const {
        SmoothingModels one({m_rates[model]});
        one.m_logTotals = {m_logTotals[model]};
        return one;
    }

    /// A weight of each word beside its likelihood in K outputs: ln weight(w) - K ln Z(w).
    ///
    /// logWeights  V entries; -infinity leaves a word out
    /// outputs     K >= 1
    [[nodiscard]] VectorF offsets(std::size_t model, const VectorD& logWeights,
                                  int outputs = 1) const;
    /// The word with the largest weight(w) h(w, u_1) ... h(w, u_K), the lowest such row; a word
    /// that is left out where all are.
    ///
    /// offsets    see above
    /// distances  of u, V entries; the sums of those of u_1 to u_K
    [[nodiscard]] Row best(std::size_t model, const VectorF& offsets, const float* distances) const;

private:
    explicit SmoothingModels(std::vector<double> rates) : m_rates(std::move(rates)) {}

    std::vector<double> m_rates;
    std::vector<VectorF> m_logTotals{};  ///< ln Z of every word, one for each model
};

}  // namespace epsilens::experiment
