#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/statistics/summary.h"

namespace epsilens::statistics {

using embedding::Row;

/// How far every word of a vocabulary is from its nearest neighbour. Words in sparse regions are
/// kept by noise that changes the words of dense ones.
///
/// Distances are Euclidean, in float64, to the nearest different vector: words with identical
/// vectors share one distance, which is above 0.
/// Source: Xu et al. 2020, Table 5.
struct DensityProfile {
    std::vector<double> distances{};    ///< V
    std::vector<Row> nearest{};         ///< V: lowest row with the nearest different vector
    std::vector<Row> sparsestFirst{};   ///< all rows by falling distance, ties by lower row
    std::vector<std::int32_t> ranks{};  ///< V: place in that order, 1 is the sparsest word
};

/// Compares all words with all others. Fails with unsupported when all vectors are equal, and with
/// cancelled.
[[nodiscard]] Result<DensityProfile> densityProfile(const engine::SearchSpace& space,
                                                    int threads = 0, const JobContext& job = {});

/// What the profile will cost, before it starts; takes a few milliseconds itself.
[[nodiscard]] double estimateDensitySeconds(const engine::SearchSpace& space, int threads = 0);

/// The sparsest or densest words among some, by distance and with ties to lower rows.
///
/// count   at least 1; more than there are: all
/// within  rows, each once
[[nodiscard]] std::vector<Row> sparsestWords(const DensityProfile& profile, std::int64_t count,
                                             std::span<const Row> within);
[[nodiscard]] std::vector<Row> densestWords(const DensityProfile& profile, std::int64_t count,
                                            std::span<const Row> within);

/// The figures of a profile over some words.
struct DensityFigures {
    /// Words whose means are compared.
    static constexpr std::int64_t kExtremes = 50;

    Summary distances{};
    double least = 0.0;           ///< d_min, > 0
    double largest = 0.0;         ///< d_max
    std::vector<Row> sparsest{};  ///< kExtremes words, fewer when there are not so many
    std::vector<Row> densest{};   ///< as many, densest first
    double meanOfSparsest = 0.0;
    double meanOfDensest = 0.0;

    [[nodiscard]] double spread() const { return largest / least; }
    [[nodiscard]] double extremesRatio() const { return meanOfSparsest / meanOfDensest; }
};

/// within  at least one row, each once
[[nodiscard]] DensityFigures densityFigures(const DensityProfile& profile,
                                            std::span<const Row> within);

}  // namespace epsilens::statistics
