#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/neighbours.h"
#include "ui/state/mechanism_choice.h"

namespace epsilens::ui {

/// The nearest words of some words by the distance that a noise mechanism finds its output with:
/// Euclidean for Laplace and Mahalanobis, Poincaré for hyperbolic.
///
/// choice  not TEM
/// count   K >= 1
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<engine::Neighbourhood>> noiseNeighbours(
    const engine::SearchSpace& space, const MechanismChoice& choice,
    std::span<const embedding::Row> words, int count, const JobContext& job);

}  // namespace epsilens::ui
