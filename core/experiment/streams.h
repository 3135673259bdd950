#pragma once

#include <cstdint>

#include "core/base/random_stream.h"

namespace epsilens::experiment {

/// Purposes of the random numbers of experiments: 50 to 59 of StreamPurpose.
inline constexpr StreamPurpose kSplitStream{50};     ///< block: repeat
inline constexpr StreamPurpose kDrawStream{51};      ///< block: pool and block of words
inline constexpr StreamPurpose kOrderStream{52};     ///< block: pool, draw: row
inline constexpr StreamPurpose kQuantileStream{53};  ///< block: pool, draw: row
inline constexpr StreamPurpose kUniformStream{54};   ///< block: pool
inline constexpr StreamPurpose kHalvesStream{56};    ///< of a part; block: repeat and part
inline constexpr StreamPurpose kFoldStream{55};      ///< of documents for cross-validation

}  // namespace epsilens::experiment
