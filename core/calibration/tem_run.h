#pragma once

#include <cstddef>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Runs the grid of a TEM or an exponential mechanism on validated options: every value is exact,
/// nothing is sampled but the words. Results do not depend on threads. A cancelled run with some
/// words done returns a partial summary; with none it fails with cancelled.
///
/// words  rows to measure, rising
/// crew   processes that share the words; null: this one alone
[[nodiscard]] Result<CalibrationSummary> calibrateTem(const engine::SearchSpace& space,
                                                      const CalibrationOptions& options,
                                                      std::vector<Row> words, const JobContext& job,
                                                      Crew* crew);

/// The metrics of a grid of such mechanisms, which share products of vectors, and its mechanisms at
/// every epsilon.
struct SelectionGrid {
    struct Column {
        std::size_t space = 0;  ///< index of the metric
        mechanism::Truncation truncation;
    };
    std::vector<engine::MetricSpace> spaces{};  ///< one for each lambda
    std::vector<Column> columns{};              ///< as mechanism::Grid::mechanisms
};
/// Fails as mechanism::Mechanism::on.
[[nodiscard]] Result<SelectionGrid> selectionGrid(const embedding::EmbeddingHandle& embedding,
                                                  const mechanism::Grid& grid, int threads);

}  // namespace epsilens::calibration
