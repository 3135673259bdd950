#pragma once

#include <vector>

#include "core/embedding/prepared_embedding.h"

namespace epsilens::engine {

/// Order of the distinct rows of an embedding in which tiles of kTileWidth consecutive rows are
/// close in space. The rows are split repeatedly at the median of the coordinate with the largest
/// spread, among the leading principal axes. Each half is a whole number of tiles; rows ascend
/// within a tile.
[[nodiscard]] std::vector<embedding::Row> tileOrder(const embedding::PreparedEmbedding& embedding);

}  // namespace epsilens::engine
