#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/embedding/load.h"
#include "core/engine/metric_space.h"
#include "tests/support/shared_data.h"
#include "tests/support/toy_embedding.h"

namespace epsilens::test {

[[nodiscard]] inline engine::SearchSpace spaceOf(RowMatrixF vectors) {
    return engine::SearchSpace(toyEmbedding(std::move(vectors)));
}

[[nodiscard]] inline engine::SearchSpace toySpace(Eigen::Index words, Eigen::Index dimensions,
                                                  std::uint64_t seed) {
    return spaceOf(anisotropicVectors(words, dimensions, seed));
}

[[nodiscard]] inline engine::MetricSpace metricSpaceOf(const embedding::EmbeddingHandle& embedding,
                                                       metric::Metric metric, double lambda = 0.0) {
    return engine::MetricSpace::create(
               metric::WordMetric::create(embedding, metric, lambda).value())
        .value();
}

/// The first cell of a run at one epsilon.
[[nodiscard]] inline calibration::Cell cellAt(const engine::SearchSpace& space,
                                              calibration::CalibrationOptions run, double epsilon) {
    run.grid.epsilons = {epsilon};
    return calibration::calibrate(space, run).value().cells.front();
}

inline constexpr const char* kGloveSubset = "data/glove-300d/glove.6B.300d.subset.txt.gz";

/// An embedding of the shared data, or null where they are absent.
[[nodiscard]] inline embedding::EmbeddingHandle openedShared(const char* path) {
    const auto file = sharedFile(path);
    return file ? embedding::openAndPrepare({.path = *file}).value() : nullptr;
}

}  // namespace epsilens::test
