#pragma once

#include "app/cli/commands/command.h"
#include "core/statistics/density_profile.h"

namespace epsilens::cli {

/// A profile with the time it took.
struct TimedProfile {
    statistics::DensityProfile profile{};
    double seconds = 0.0;
};

/// Nearest-neighbour distances of the whole vocabulary; says beforehand what they will cost when
/// that is more than a moment, and shows progress.
[[nodiscard]] Result<TimedProfile> computeDensity(const engine::SearchSpace& space,
                                                  const CommandContext& context);

}  // namespace epsilens::cli
