#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/limits.h"

namespace epsilens::calibration {

/// A setting (lambda, gamma or beta) as its limits see it: cells at any epsilon, all under the same
/// draws, so that N_w of every word rises with epsilon.
struct CellSource {
    /// One cell per epsilon with the values that limits look at.
    std::function<Result<std::vector<Cell>>(std::span<const double> epsilons)> cells{};
    int draws = 0;           ///< R
    std::int64_t words = 0;  ///< of the run
    double origin = 0.0;     ///< epsilon exceeds it: m - 1 for riemannian noise, else 0
    EpsilonSpan searched{};  ///< where to look, above the origin
    bool farFalls = false;   ///< the far share falls with epsilon
    /// Whether a search has found before that limits of any kind are met at the low end of what is
    /// searched and missed at its high end, if perhaps by less exact cells.
    bool isNarrow = false;
    /// How close a search comes to where a limit begins to fail, relative to epsilon - origin.
    double tolerance = 1e-4;
};

/// Both ends of an axis moved by a factor, counted from the origin.
[[nodiscard]] EpsilonSpan widened(const EpsilonSpan& shown, double origin, double factor);

/// Epsilons in even steps of ln(epsilon - origin) from the low end of a span to the high one, which
/// may lie below it.
///
/// points  >= 2
[[nodiscard]] std::vector<double> spread(const EpsilonSpan& span, double origin, int points);

/// Steps of a scan for each factor of 10 in epsilon - origin.
inline constexpr int kStepsPerDecade = 24;
/// Maxima between the steps of a scan that are looked at more closely.
inline constexpr std::size_t kMostPeaks = 8;

/// Limits that a setting meets up to some epsilon and misses above are bisected; where others exist
/// the search then goes down in even steps of ln(epsilon - origin) to the first epsilon that meets
/// them all, and bisects between it and the step above. Where the limits are missed by less than on
/// both sides, it looks between these steps as well. The epsilon found is rounded down to 6 digits
/// where it still meets the limits.
///
/// limits  at least one
/// Fails as source.cells does, with cancelled, and with unsupported for a limit on what a cell does
/// not have.
[[nodiscard]] Result<EpsilonFound> findLargestEpsilon(const CellSource& source,
                                                      const std::vector<Limit>& limits,
                                                      const JobContext& job = {});

}  // namespace epsilens::calibration
