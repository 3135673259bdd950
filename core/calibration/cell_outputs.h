#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// Outputs of some words under R draws at every cell of a run: cells x words x R.
using CellOutputs = std::vector<std::vector<std::vector<Row>>>;

/// A word and the seed of its draws: words of one seed share theirs.
struct SeededWord {
    Row row = 0;
    std::uint64_t seed = 1;
};

/// Draws them from streams of their own, so that no statistic of the run rests on them.
///
/// cells  of the mechanism, in any order
/// draws  R >= 1
/// Fails as the mechanism does where a cell is outside its range.
[[nodiscard]] Result<CellOutputs> cellOutputs(const engine::SearchSpace& space,
                                              const mechanism::Mechanism& mechanism,
                                              std::span<const Cell> cells,
                                              std::span<const SeededWord> words, int draws,
                                              const JobContext& job = {});

}  // namespace epsilens::calibration
