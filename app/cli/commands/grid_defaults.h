#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/options.h"
#include "core/engine/epsilon_range.h"

namespace epsilens::cli {

/// Values of a grid that depend on the embedding. Those chosen here are noted on the console.

/// Calibration options of a grid; words and draws keep their defaults.
[[nodiscard]] calibration::CalibrationOptions calibrationOptions(const mechanism::Grid& grid,
                                                                 const GeneralOptions& general);

/// Useful range of epsilon for a mechanism over all its lambdas and radii; its own epsilons are
/// ignored. Shows progress.
[[nodiscard]] Result<engine::EpsilonRange> epsilonRange(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
    const CommandContext& context);

/// If there is no epsilon, sets the median critical epsilon of the first lambda.
[[nodiscard]] Result<void> chooseEpsilon(const engine::SearchSpace& space, mechanism::Grid& grid,
                                         const CommandContext& context);

/// If there is no epsilon, sets the default grid of a calibration.
[[nodiscard]] Result<void> chooseEpsilons(const engine::SearchSpace& space,
                                          calibration::CalibrationOptions& options,
                                          const CommandContext& context);

/// Sets so many points of the axis of epsilon.
[[nodiscard]] Result<void> chooseAxis(const engine::SearchSpace& space,
                                      calibration::CalibrationOptions& options, int points,
                                      const CommandContext& context);

/// If there is no lambda, sets the default grid without the values that this embedding cannot use,
/// and names these values.
void chooseLambdas(const engine::SearchSpace& space, mechanism::Grid& grid, Console& console);

}  // namespace epsilens::cli
