#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/options.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// One column of the grid of a TEM or an exponential mechanism: a lambda and a radius (or beta), at
/// all epsilons.
struct TemColumn {
    std::size_t space = 0;  ///< index of the lambda
    mechanism::Truncation truncation;
    std::vector<mechanism::TruncatedExponential> mechanisms{};  ///< one per epsilon
};

/// The distances of every lambda of the grid. Fails as metric::WordMetric::create.
[[nodiscard]] Result<std::vector<engine::MetricSpace>> createSpaces(
    const embedding::EmbeddingHandle& embedding, const CalibrationOptions& options);

/// All columns of the grid, lambda-major. Fails with invalidArgument for values out of range.
///
/// spaces  number of lambdas
[[nodiscard]] Result<std::vector<TemColumn>> createColumns(const CalibrationOptions& options,
                                                           std::size_t spaces,
                                                           std::int64_t vocabularySize);

}  // namespace epsilens::calibration
