#pragma once

#include <cstdint>

namespace epsilens::engine {

/// Sums over a row of distances d of the weights w = 2^-y, y = min(rate d, cap), and of their
/// powers.
struct PowerSums {
    double weights = 0.0;    ///< sum of w
    double exponents = 0.0;  ///< sum of y w
    double distances = 0.0;  ///< sum of d w
    double cosines = 0.0;    ///< sum of cos w
    double squares = 0.0;    ///< sum of w^2
    double cubes = 0.0;
    double fourths = 0.0;
};

/// Sums over a row that hold for every rate and cap.
struct RowTotals {
    double distances = 0.0;
    double cosines = 0.0;
};

/// Entries that one step of the sums below takes: rows must be filled up to whole steps.
inline constexpr std::int64_t kPowerStep = 64;

/// Copies a row and returns its largest entry.
///
/// from   aligned, `count` entries, readable up to whole steps
/// count  >= 1
/// to     aligned, whole steps; undefined after `count`
[[nodiscard]] float copyWithLargest(const float* from, std::int64_t count, float* to);

/// distances, cosines  aligned, `count` entries
/// count               a multiple of kPowerStep
[[nodiscard]] RowTotals rowTotals(const float* distances, const float* cosines, std::int64_t count);

/// distances  aligned, `count` entries, finite, >= 0
/// cosines    aligned, `count` entries
/// count      a multiple of kPowerStep
/// rate       >= 0, finite
/// cap        in [0, kLargestPower]
/// largest    no distance is larger
/// totals     rowTotals of the row
/// A weight has the relative error of 2^-y at a float32 y, (y + 4) 2^-24 to first order, and no
/// error at 0. A sum has at most kMostPowerRoundings of float32, whatever the length of a vector.
/// Entries at the cap are counted, not summed, where whole vectors of them lie together. Powers
/// below 2^-126 count as 0.
[[nodiscard]] PowerSums powerSums(const float* distances, const float* cosines, std::int64_t count,
                                  float rate, float cap, float largest, const RowTotals& totals);

inline constexpr double kMostPowerRoundings = 56.0;

/// Largest cap: 2^-125 and its neighbours are normal in float32.
inline constexpr float kLargestPower = 125.0F;

}  // namespace epsilens::engine
