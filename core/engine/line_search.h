#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/engine/exact_scores.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// A search whose scores, relative to the word itself, are linear in the amount of noise t:
/// squaredDistance - 2 t projection. The output is therefore the lower envelope of lines. Queries
/// use the rate 1/t, which is epsilon for the elliptical mechanisms.
class LineSearch {
public:
    LineSearch() = default;
    LineSearch(const LineSearch&) = delete;
    LineSearch& operator=(const LineSearch&) = delete;
    virtual ~LineSearch() = default;

    [[nodiscard]] virtual std::int32_t wordPosition() const = 0;
    [[nodiscard]] virtual Row rowAt(std::int32_t position) const = 0;
    /// Exact position of the lowest line at t = 1/rate.
    ///
    /// rate   >= 0; 0 is the limit, where only the projection counts
    /// guess  any position; a good guess saves time
    [[nodiscard]] virtual std::int32_t nearestAtRate(double rate, std::int32_t guess) = 0;
    /// nearestAtRate for several rates; a search may answer them together.
    ///
    /// guesses  one per rate
    virtual void nearestAtRates(std::span<const double> rates,
                                std::span<const std::int32_t> guesses,
                                std::span<std::int32_t> positions) {
        for (std::size_t i = 0; i < rates.size(); ++i) {
            positions[i] = nearestAtRate(rates[i], guesses[i]);
        }
    }
    /// How many rates it takes about as long to answer as a single one.
    [[nodiscard]] virtual std::size_t ratesAtOnce() const { return 1; }
    /// Line of a position relative to the word.
    [[nodiscard]] virtual ScoreLine lineOf(std::int32_t position) const = 0;
};

}  // namespace epsilens::engine
