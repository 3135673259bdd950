#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/exact_scores.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Output of one word under one draw as an exact function of t = 1/epsilon: outputs[0] holds for
/// t < breaks[0], outputs[i] for breaks[i-1] <= t < breaks[i].
struct DrawPath {
    std::vector<double> breaks{};  ///< in t = 1/epsilon, rising, > 0
    std::vector<Row> outputs{};    ///< one more than breaks
};

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
    /// rate  >= 0; 0 is the limit, where only the projection counts
    [[nodiscard]] virtual std::int32_t nearestAtRate(double rate) = 0;
    /// nearestAtRate for several rates; a search may answer them together.
    virtual void nearestAtRates(std::span<const double> rates, std::span<std::int32_t> positions) {
        for (std::size_t i = 0; i < rates.size(); ++i) {
            positions[i] = nearestAtRate(rates[i]);
        }
    }
    /// How many rates it takes about as long to answer as a single one.
    [[nodiscard]] virtual std::size_t ratesAtOnce() const { return 1; }
    /// Line of a position relative to the word.
    [[nodiscard]] virtual ScoreLine lineOf(std::int32_t position) const = 0;
};

/// Smallest rate from which on the draw of the search returns its word: 0 if it always does,
/// infinite if an identical lower row is returned instead.
///
///   rate* = max(0, max over u of 2 projection(u) / squaredDistance(u))
///
/// For the elliptical mechanisms this is the critical epsilon, max 2 z . (u - w) / ||u - w||^2.
/// Found by repeatedly searching for the nearest word at the rate where the scores of the word and
/// of its best rival so far cross; this rate only grows (Dinkelbach 1967). Each step is an exact
/// search.
///
/// leastRate  smaller rates are not searched: 0 is also returned if the word is kept at leastRate
[[nodiscard]] double criticalRate(LineSearch& search, Row word, double leastRate = 0.0);

/// Complete path of the word and draw of the search, with breaks in t = 1/rate: the lower envelope
/// of the score lines. It is found by searching for the nearest word where two neighbouring pieces
/// cross until no better word appears (Eisner and Severance 1976), at all open crossings together.
/// Each step is an exact search.
///
/// leastRate  the rate at which the path ends
[[nodiscard]] DrawPath drawPath(LineSearch& search, double leastRate = 0.0);

}  // namespace epsilens::engine
