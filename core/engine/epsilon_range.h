#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/noise_series.h"

namespace epsilens::engine {

/// Useful range of epsilon for a mechanism on an embedding.
struct EpsilonRange {
    double suggested = 0.0;  ///< median critical epsilon of the sampled words, 2 significant digits
    double low = 0.0;        ///< 5th percentile of critical epsilon
    double high = 0.0;       ///< 95th percentile
    std::int64_t words = 0;  ///< number of sampled words
};

/// Number of words from which a range is estimated; all words if there are fewer.
inline constexpr std::int64_t kRangeWords = 200;

/// The range of critical epsilons; those that are 0 or infinite are ignored.
///
/// words  number of words that they come from
[[nodiscard]] EpsilonRange rangeOfCriticals(std::vector<double> critical, std::int64_t words);

/// Estimates the range from kRangeWords random words with 20 draws each, for a series of one
/// variant.
[[nodiscard]] Result<EpsilonRange> estimateEpsilonRange(const NoiseSeries& series,
                                                        std::uint64_t seed, int threads = 0,
                                                        const JobContext& job = {});

}  // namespace epsilens::engine
