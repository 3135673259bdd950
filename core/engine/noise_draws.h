#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/engine/selection_draws.h"

namespace epsilens::engine {

/// Outputs of some words under R draws of the first variant of a series, at each of some epsilons:
/// the same draws as the paths of a sentence have. Works for series without paths too.
///
/// epsilons  each admitted by the mechanism
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<SelectionOutputs>> drawOutputs(const NoiseSeries& series,
                                                                std::span<const Row> words,
                                                                std::span<const double> epsilons,
                                                                const SelectionOptions& options,
                                                                const JobContext& job = {});

}  // namespace epsilens::engine
