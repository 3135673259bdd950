#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/vocabulary.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"

namespace epsilens::attack {

using embedding::Row;

/// How weights fall with distance: e^{-min(rate d, cap)}.
struct Decay {
    double rate = 1.0;  ///< > 0, finite
    double cap = std::numeric_limits<double>::infinity();
};

/// A channel whose probabilities fall with distance, C(w, u) = e^{-min(rate d(w, u), cap)} / Z(w),
/// Z(w) the sum over all u: TEM and the exponential mechanism exactly, with rate epsilon / 2 and
/// cap epsilon gamma / 2, and a model of mechanisms that add noise. As d is symmetric, the
/// distances of an output to all words give its column.
class DistanceKernel {
public:
    /// Rows that Z of a model is estimated from.
    static constexpr Row kSummedWords = 2048;

    /// Kernels that share their distances.
    ///
    /// space   in the metric of the mechanism
    /// summed  words u that Z is formed from, at even steps of the rows: all of V give Z itself,
    ///         fewer, >= 2, the estimate 1 + (V - 1) times their mean without the word itself
    /// Fails with cancelled.
    [[nodiscard]] static Result<std::vector<DistanceKernel>> create(
        const engine::MetricSpace& space, std::span<const Decay> decays, Row summed,
        int threads = 0, const JobContext& job = {});

    [[nodiscard]] const Decay& decay() const { return m_decay; }
    /// ln Z of every word.
    [[nodiscard]] const VectorF& logTotals() const { return m_logTotals; }
    /// ln C(x, u) of every word x, from the distances of u. distances, result  V entries
    void logColumn(const float* distances, float* result) const;

private:
    DistanceKernel(const Decay& decay, VectorF logTotals)
        : m_decay(decay), m_logTotals(std::move(logTotals)) {}

    Decay m_decay;
    VectorF m_logTotals;
};

/// Called with the index of the word and its distances, in parallel for different words; the
/// worker's number, below `workers`, tells calls apart that may run at the same time.
using DistanceVisitor =
    std::function<void(std::size_t index, int worker, const engine::MetricRow& row)>;

/// Visits the distances of some words to all words. Fails with cancelled.
///
/// stage  of the progress
[[nodiscard]] Result<void> visitDistances(const engine::MetricSpace& space,
                                          std::span<const Row> words, int workers,
                                          std::string_view stage, const JobContext& job,
                                          const DistanceVisitor& visit);

/// ln of likelihoods so far below the largest that they would turn denormal: no guess depends on
/// them.
inline constexpr float kNegligible = -80.0F;

/// The word with the largest of V scores, the lowest of equal ones.
struct BestGuess {
    Row word = 0;
    float score = 0.0F;
};
[[nodiscard]] BestGuess bestGuess(const VectorF& scores);

/// The same with its probability, e^score over the sum of all.
struct SureGuess {
    Row word = 0;
    double probability = 0.0;
};
[[nodiscard]] SureGuess sureGuess(const VectorF& scores);

}  // namespace epsilens::attack
