#pragma once

#include <span>
#include <vector>

#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// g-deniability of words under TEM, exact: for an output u, the size of the largest set of words
/// that contains w and whose probabilities p(u|.) all lie in one interval [x, g x]; averaged over
/// u ~ M(w). All words of the vocabulary count, so the result is between 1 and V.
///
/// words  rows to measure
/// odds   g >= 1, finite; logarithms of probabilities within 1e-12 count as equal
/// Returns one value per word. Distances are computed in float64, in O(V^2 (m + log V)) steps for
/// any number of words. Fails with invalidArgument if odds is out of range, and with cancelled.
/// Source: Feyisetan et al. 2019, section VI-B, where g is called gamma
[[nodiscard]] Result<std::vector<double>> exactDeniability(
    const engine::MetricSpace& space, const mechanism::TruncatedExponential& mechanism,
    std::span<const engine::Row> words, double odds, int threads = 0, const JobContext& job = {});

}  // namespace epsilens::calibration
