#pragma once

#include <span>

namespace epsilens::numeric {

/// Quantile of Hyndman and Fan 1996, type 7: linear between order statistics at (n-1) p.
///
/// sorted       at least one value, ascending; may hold infinite values, which are returned if the
///              position falls on or next to one
/// probability  in [0, 1]
[[nodiscard]] double quantileOfSorted(std::span<const double> sorted, double probability);
[[nodiscard]] double quantileOfSorted(std::span<const float> sorted, double probability);

/// Student's t distribution.
///
/// degrees  of freedom, > 0

/// The t with P(T <= t) = probability, in (0, 1).
[[nodiscard]] double studentQuantile(double degrees, double probability);
/// P(T <= t) for finite or infinite t.
[[nodiscard]] double studentProbability(double degrees, double t);

}  // namespace epsilens::numeric
