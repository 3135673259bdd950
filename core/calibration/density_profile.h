#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/summary.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

using embedding::Row;

/// Distance of every word of a vocabulary from its nearest neighbour. Noise that changes the words
/// of dense regions keeps the words of sparse ones.
///
/// Distances are Euclidean, in float64, to the nearest different vector. Words with identical
/// vectors have the same distance, which is > 0.
/// Source: Xu et al. 2020, Table 5.
struct DensityProfile {
    std::vector<double> distances{};    ///< V
    std::vector<Row> nearest{};         ///< V: lowest row with the nearest different vector
    std::vector<Row> sparsestFirst{};   ///< all rows by descending distance, ties by lower row
    std::vector<std::int32_t> ranks{};  ///< V: rank in that order; 1 is the sparsest word
};

/// Compares all pairs of words. Fails with unsupported if all vectors are equal, and with
/// cancelled.
[[nodiscard]] Result<DensityProfile> densityProfile(const engine::SearchSpace& space,
                                                    int threads = 0, const JobContext& job = {});

/// The sparsest or densest of the given words, by distance; ties go to the lower row.
///
/// count   at least 1; all words if there are fewer
/// within  distinct rows
[[nodiscard]] std::vector<Row> sparsestWords(const DensityProfile& profile, std::int64_t count,
                                             std::span<const Row> within);
[[nodiscard]] std::vector<Row> densestWords(const DensityProfile& profile, std::int64_t count,
                                            std::span<const Row> within);

/// Summary of a profile over some words.
struct DensityFigures {
    /// Words whose means are compared.
    static constexpr std::int64_t kExtremes = 50;

    Summary distances{};
    double least = 0.0;           ///< d_min, > 0
    double largest = 0.0;         ///< d_max
    std::vector<Row> sparsest{};  ///< kExtremes words, or all if there are fewer
    std::vector<Row> densest{};   ///< the same number, densest first
    double meanOfSparsest = 0.0;
    double meanOfDensest = 0.0;

    [[nodiscard]] double spread() const { return largest / least; }
    [[nodiscard]] double extremesRatio() const { return meanOfSparsest / meanOfDensest; }
};

/// within  at least one row; distinct rows
[[nodiscard]] DensityFigures densityFigures(const DensityProfile& profile,
                                            std::span<const Row> within);

}  // namespace epsilens::calibration
