#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/attack/distance_kernel.h"
#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"

namespace epsilens::attack {

using embedding::Row;

/// Memory that observations are read in: one object for each task.
struct ChannelScratch {
    engine::MetricRows rows{false};
    RowMatrixF points{};
    RowMatrixF products{};
    VectorF row{};
};

/// Called with the index of a token and ln Pr[its observation | word x] of every word x, up to a
/// constant: V entries, which it may change.
using LikelihoodVisitor = std::function<void(std::size_t index, VectorF& row)>;

/// What an attacker sees of a text and what it says: an observation for each token, an output or a
/// noisy vector, and how likely it is for every word. Tasks share it.
struct Channel {
    /// Reads the observations of some tokens, one after the other.
    std::function<void(std::span<const std::size_t> tokens, ChannelScratch& scratch,
                       const LikelihoodVisitor& visit)>
        read{};
    /// Observations of one kind say the same of every word. Noisy vectors are never equal; outputs
    /// often are.
    std::function<std::size_t(std::size_t token)> kindOf = [](std::size_t token) { return token; };
};

/// Outputs of which a kernel tells how likely they are. All outlive the channel.
///
/// space    in the metric of the kernel
/// outputs  one for every token; those of tokens that are not replaced are never read
[[nodiscard]] Channel releasedWords(const engine::MetricSpace& space, const DistanceKernel& kernel,
                                    std::span<const Row> outputs);

/// The words themselves: nothing was replaced.
///
/// text   words of all tokens; outlives the channel
/// words  V
[[nodiscard]] Channel wordsSeen(std::span<const Row> text, Row words);

/// Outputs that tell nothing about their words. words  V
[[nodiscard]] Channel nothingSeen(Row words);

}  // namespace epsilens::attack
