#pragma once

#include <span>

#include "core/calibration/calibrate.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {

/// Adds the 95% interval of the mean: only the choice of words is random (V_mc = 0).
///
/// words  n, of which the summary is;  sampledShare  f = n / V
void addWordInterval(statistics::Summary& summary, double words, double sampledShare);

/// The cell of words whose output laws are known; without lambda, radius and error probability.
///
/// words         at least one
/// sampledShare  f = n / V
[[nodiscard]] Cell exactCell(std::span<const statistics::ExactStatistics> words,
                             const mechanism::TruncatedExponential& mechanism, double sampledShare);

}  // namespace epsilens::calibration
