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
    std::vector<std::int32_t> positions{};  ///< of the nearest; ties: that of the lowest row
};

/// Every pair is compared once, in products of blocks: float32 rules out the pairs that are not
/// the nearest of either side, by the bound of rounding_bounds.md, and float64 decides the rest. No
/// pair is passed over without its product: balls around blocks rule out next to none beyond two
/// dimensions, and products over the leading principal axes first save a quarter at best.
/// The answer does not depend on the threads.
///
/// Fails with unsupported when there is a single vector, and with cancelled.
[[nodiscard]] Result<ClosestVectors> closestVectors(const SearchSpace& space, int threads = 0,
                                                    const JobContext& job = {});

/// Seconds that closestVectors takes on this machine, from the number of pairs and the time
/// of a few of them.
[[nodiscard]] double estimateClosestVectorsSeconds(const SearchSpace& space, int threads = 0);

}  // namespace epsilens::engine
