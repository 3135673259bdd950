#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/engine/neighbours.h"
#include "core/engine/output_quantiles.h"

namespace epsilens::engine {

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
