#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/engine/selection_draws.h"

namespace epsilens::engine {

/// Outputs of some words under R draws of a series of one variant, at each of the given
/// epsilons. Uses the same draws as computePaths.
///
/// epsilons  each in the range of the mechanism
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<SelectionOutputs>> drawOutputs(const NoiseSeries& series,
                                                                std::span<const Row> words,
                                                                std::span<const double> epsilons,
                                                                const SelectionOptions& options,
                                                                const JobContext& job = {});

/// The outputs of R draws of one word as exact functions of epsilon.
using WordPaths = std::vector<DrawPath>;

/// What the draws return at epsilon > 0.
[[nodiscard]] std::vector<Row> outputsAt(const WordPaths& paths, double epsilon);

/// Exact paths of some words, one entry per occurrence, under R draws of a series of one variant,
/// which all words share. Fails with cancelled.
[[nodiscard]] Result<std::vector<WordPaths>> computePaths(const NoiseSeries& series,
                                                          std::span<const Row> words,
                                                          const SelectionOptions& options,
                                                          const JobContext& job = {});

}  // namespace epsilens::engine
