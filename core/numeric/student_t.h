#pragma once

namespace epsilens::numeric {

/// Student's t distribution.
///
/// degrees  of freedom, > 0

/// The t with P(T <= t) = probability, in (0, 1).
[[nodiscard]] double studentQuantile(double degrees, double probability);
/// P(T <= t) for finite or infinite t.
[[nodiscard]] double studentProbability(double degrees, double t);

}  // namespace epsilens::numeric
