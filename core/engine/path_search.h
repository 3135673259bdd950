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

    /// epsilon > 0
    [[nodiscard]] Row output(double epsilon) const;
    /// Smallest epsilon from which on the draw returns its word: 0 if it always does, infinite if
    /// it never does (because an identical lower row exists).
    [[nodiscard]] double criticalEpsilon(Row word) const;
};

/// A search whose scores, relative to the word itself, are linear in the amount of noise t:
/// squaredDistance - 2 t projection. The output is therefore the lower envelope of lines. Queries
/// use the rate 1/t, which is epsilon for the elliptical mechanisms.
class LineSearch {
public:
    explicit LineSearch(const SearchSpace& space) : m_space(space) {}
    LineSearch(const LineSearch&) = delete;
    LineSearch& operator=(const LineSearch&) = delete;
    virtual ~LineSearch() = default;

    [[nodiscard]] const SearchSpace& space() const { return m_space; }
    /// Of the word, or of its lowest identical row.
    [[nodiscard]] std::int32_t wordPosition() const { return m_wordPosition; }
    /// Exact position of the lowest line at each t = 1/rate.
    ///
    /// rates  >= 0; 0 is the limit, where only the projection counts
    virtual void nearestAtRates(std::span<const double> rates,
                                std::span<std::int32_t> positions) = 0;
    /// How many rates it takes about as long to answer as a single one.
    [[nodiscard]] virtual std::size_t ratesAtOnce() const = 0;
    /// Line of a position relative to the word.
    [[nodiscard]] virtual ScoreLine lineOf(std::int32_t position) const = 0;
    /// Number of decisions so far that the rounding bound left open.
    [[nodiscard]] std::int64_t rechecked() const { return m_rechecked; }

protected:
    void selectWord(Row word) {
        m_wordPosition = static_cast<std::int32_t>(m_space.positionOf(word));
    }
    void countRechecked() { ++m_rechecked; }

private:
    const SearchSpace& m_space;
    std::int32_t m_wordPosition = 0;
    std::int64_t m_rechecked = 0;
};

/// Complete path of the word and draw of the search, with breaks in t = 1/rate: the lower envelope
/// of the score lines. It is found by searching for the nearest word where two neighbouring pieces
/// cross until no better word appears (Eisner and Severance 1976), at all open crossings together.
/// Each step is an exact search.
///
/// leastRate  the rate at which the path ends
[[nodiscard]] DrawPath drawPath(LineSearch& search, double leastRate = 0.0);

}  // namespace epsilens::engine
