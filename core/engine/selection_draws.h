#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/engine/neighbours.h"
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

/// All words ranked by their distance from one word, and its nearest words.
struct RankedVocabulary {
    RankedWords ranked{};
    Neighbourhood neighbours{};  ///< in the metric of the space, ties by lower row
};

/// Ranks the vocabulary for each of some words and passes the result to `use`.
///
/// neighbours  K >= 1
/// use         called with the index of the word; in parallel for different words
/// Fails with cancelled.
[[nodiscard]] Result<void> rankVocabulary(
    const MetricSpace& space, std::span<const Row> words, int neighbours, int threads,
    const JobContext& job, const std::function<void(std::size_t, const RankedVocabulary&)>& use);

/// The quantiles of R draws, shared by every word, epsilon and radius (common random numbers).
[[nodiscard]] std::vector<double> selectionQuantiles(std::uint64_t seed, int draws);

/// Sampled outputs of one word.
struct SelectionOutputs {
    std::vector<std::vector<Row>> outputs{};  ///< one per mechanism, R each
    Neighbourhood neighbours{};
};

struct SelectionOptions {
    int draws = 100;  ///< R, shared by all words
    std::uint64_t seed = 1;
    int neighbours = 100;
    int threads = 0;
};

/// Draws outputs of some words under several mechanisms from their exact distribution functions.
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<SelectionOutputs>> drawSelections(
    const MetricSpace& space, std::span<const Row> words,
    std::span<const mechanism::TruncatedExponential> mechanisms, const SelectionOptions& options,
    const JobContext& job = {});

}  // namespace epsilens::engine
