#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"

namespace epsilens::experiment {

using embedding::Row;

/// Called with the index of the word and its distances, in parallel for different words; the
/// worker's number, below `workers`, tells calls apart that may run at the same time.
using DistanceVisitor =
    std::function<void(std::size_t index, int worker, const engine::MetricRow& row)>;

/// Visits the distances of some words to all words. Fails with cancelled.
///
/// stage  of the progress
[[nodiscard]] Result<void> visitDistances(const engine::MetricSpace& space,
                                          std::span<const Row> words, int workers,
                                          std::string_view stage, const JobContext& job,
                                          const DistanceVisitor& visit);

}  // namespace epsilens::experiment
