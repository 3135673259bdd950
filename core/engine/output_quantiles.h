#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/mechanism/truncated_exponential.h"

namespace epsilens::engine {

using embedding::Row;

/// All words in order of rising distance from one word, which comes first; ties by lower row.
struct RankedWords {
    std::vector<Row> rows{};
    std::vector<double> distances{};
};

/// distances  of all V words to `word`, indexed by row, >= 0
[[nodiscard]] RankedWords rankWords(Row word, std::span<const float> distances);

/// Inverse of the distribution function of TEM's output over the words in order of rising distance.
///
/// The same quantile serves every epsilon (common random numbers). A draw that keeps the word keeps
/// it at every larger epsilon; at one radius for all epsilons a draw only moves to words as near or
/// nearer as epsilon rises (with a radius from an error probability some go beyond it instead).
class OutputQuantiles {
public:
    /// words  must outlive this object
    OutputQuantiles(const mechanism::TruncatedExponential& mechanism, const RankedWords& words);

    /// The output of a draw.
    ///
    /// quantile  in (0, 1)
    [[nodiscard]] Row at(double quantile) const;

private:
    const RankedWords& m_words;
    std::vector<double> m_cumulated{};  ///< weights up to each word
};

}  // namespace epsilens::engine
