#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/share.h"

namespace epsilens::experiment {

/// How often a guess is the word itself or among its K nearest.
struct NearGuesses {
    Share echo{};
    Share prior{};
    Share informed{};  ///< of who guesses by the channel from one output: map, or learned
};

/// What counts as near.
struct Nearness {
    int neighbours = 100;  ///< K >= 1
    int threads = 0;
};

/// How often each of some attackers names the word or one of its K nearest.
///
/// space    the metric in which words are near
/// guesses  of each attacker, one for each token
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<Share>> nearShares(const engine::MetricSpace& space,
                                                    const ReplacedTokens& tokens,
                                                    std::span<const std::vector<Row>> guesses,
                                                    const Nearness& nearness,
                                                    const JobContext& job = {});

}  // namespace epsilens::experiment
