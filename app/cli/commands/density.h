#pragma once

#include "app/cli/commands/command.h"
#include "core/statistics/density_profile.h"

namespace epsilens::cli {

/// A profile and the time it took.
struct TimedProfile {
    statistics::DensityProfile profile{};
    double seconds = 0.0;
};

/// Computes the nearest-neighbour distances of the whole vocabulary and shows progress.
[[nodiscard]] Result<TimedProfile> computeDensity(const engine::SearchSpace& space,
                                                  const CommandContext& context);

}  // namespace epsilens::cli
