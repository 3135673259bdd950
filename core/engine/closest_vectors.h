#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// The nearest other vector of every vector of a space.
struct ClosestVectors {
    std::vector<double> distances{};        ///< Euclidean, in float64, one per position, > 0
    std::vector<std::int32_t> positions{};  ///< the nearest vector; ties go to the lowest row
};

/// Compares every pair once, in products of blocks: float32 excludes the pairs that are nearest for
/// neither side, by the bound of rounding_bounds.md, and float64 decides the rest. No pair is
/// skipped without its product: balls around blocks exclude almost nothing beyond two dimensions,
/// and products over the leading principal axes save at most a quarter. The result does not depend
/// on the number of threads.
///
/// Fails with unsupported if there is only one vector, and with cancelled.
[[nodiscard]] Result<ClosestVectors> closestVectors(const SearchSpace& space, int threads = 0,
                                                    const JobContext& job = {});

}  // namespace epsilens::engine
