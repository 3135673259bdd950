#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/noise_series.h"

namespace epsilens::engine {

/// Where the interesting values of epsilon lie for a mechanism on an embedding.
struct EpsilonRange {
    double suggested = 0.0;  ///< median critical epsilon of the sampled words, 2 significant digits
    double low = 0.0;        ///< 5th percentile of critical epsilon
    double high = 0.0;       ///< 95th percentile
    std::int64_t words = 0;  ///< words sampled
    double alwaysKept = 0.0;  ///< share of the critical epsilons that are 0: kept at every epsilon
};

/// Words from which a range is estimated, all when there are fewer.
inline constexpr std::int64_t kRangeWords = 200;

/// The range that critical epsilons span; those that are 0 or infinite tell nothing of it.
///
/// words  they come from
[[nodiscard]] EpsilonRange rangeOfCriticals(std::vector<double> critical, std::int64_t words);

/// Estimates the range from 200 random words (all when fewer) with 20 draws each, for the first
/// variant of a series that has paths.
[[nodiscard]] Result<EpsilonRange> estimateEpsilonRange(const NoiseSeries& series,
                                                        std::uint64_t seed, int threads = 0,
                                                        const JobContext& job = {});

}  // namespace epsilens::engine
