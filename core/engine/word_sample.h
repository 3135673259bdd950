#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/embedding/vocabulary.h"

namespace epsilens::engine {

/// Rows drawn uniformly without replacement, ascending; all rows if count >= vocabularySize.
[[nodiscard]] std::vector<embedding::Row> sampleWords(std::int64_t vocabularySize,
                                                      std::int64_t count, std::uint64_t seed);

/// The same from the given rows, in their order.
[[nodiscard]] std::vector<embedding::Row> sampleWords(std::span<const embedding::Row> eligible,
                                                      std::int64_t count, std::uint64_t seed);

}  // namespace epsilens::engine
