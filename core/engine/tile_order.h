#pragma once

#include <vector>

#include "core/embedding/prepared_embedding.h"

namespace epsilens::engine {

/// Order of the distinct rows of an embedding in which tiles of kTileWidth consecutive ones are
/// close in space: halved again and again at the median of the coordinate with the largest spread,
/// among the leading principal axes. Halves are whole numbers of tiles; the order inside a tile
/// rises by row.
[[nodiscard]] std::vector<embedding::Row> tileOrder(const embedding::PreparedEmbedding& embedding);

}  // namespace epsilens::engine
