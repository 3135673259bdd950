#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/neighbours.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::ui {

/// The distance in which outputs are near or far: for noise that by which it finds its output.
[[nodiscard]] metric::Metric neighbourMetric(const mechanism::Mechanism& mechanism);
/// Whether words have the same neighbours under both.
[[nodiscard]] bool shareNeighbours(const mechanism::Mechanism& a, const mechanism::Mechanism& b);

/// The nearest words of some words by the distance of a mechanism that adds noise.
///
/// count  K >= 1
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<engine::Neighbourhood>> noiseNeighbours(
    const engine::SearchSpace& space, const mechanism::Mechanism& mechanism,
    std::span<const embedding::Row> words, int count, const JobContext& job);

}  // namespace epsilens::ui
