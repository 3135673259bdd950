#pragma once

#include <cstdint>

#include "core/engine/exact_scores.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// A search whose scores are lines in a growing amount of noise t, relative to the word itself:
/// squaredDistance - 2 t projection, so that the output is the lower envelope of lines. Asked by
/// the rate 1/t: epsilon for the elliptical mechanisms.
class LineSearch {
public:
    LineSearch() = default;
    LineSearch(const LineSearch&) = delete;
    LineSearch& operator=(const LineSearch&) = delete;
    virtual ~LineSearch() = default;

    [[nodiscard]] virtual std::int32_t wordPosition() const = 0;
    [[nodiscard]] virtual Row rowAt(std::int32_t position) const = 0;
    /// Position of the lowest line at t = 1/rate, found exactly.
    ///
    /// rate   >= 0; 0 stands for the limit, where only the projection counts
    /// guess  any position; a good one saves time
    [[nodiscard]] virtual std::int32_t nearestAtRate(double rate, std::int32_t guess) = 0;
    /// Line of a position relative to the word.
    [[nodiscard]] virtual ScoreLine lineOf(std::int32_t position) const = 0;
};

}  // namespace epsilens::engine
