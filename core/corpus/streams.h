#pragma once

#include <cstdint>

#include "core/base/random_stream.h"

namespace epsilens::corpus {

/// Purposes of the random numbers of experiments: 50 to 59 of StreamPurpose.
inline constexpr StreamPurpose kSplitStream{50};     ///< block: repeat
inline constexpr StreamPurpose kDrawStream{51};      ///< block: pool and block of words
inline constexpr StreamPurpose kOrderStream{52};     ///< block: pool, draw: row
inline constexpr StreamPurpose kQuantileStream{53};  ///< block: pool, draw: row
inline constexpr StreamPurpose kUniformStream{54};   ///< block: pool
inline constexpr StreamPurpose kHalvesStream{56};    ///< of a part; block: repeat and part
inline constexpr StreamPurpose kFoldStream{55};      ///< of documents for cross-validation

/// Purposes of the attackers' random numbers; 80 to 99 of StreamPurpose.
inline constexpr auto kDocumentSample = static_cast<StreamPurpose>(80);
inline constexpr auto kDocumentHalves = static_cast<StreamPurpose>(81);
inline constexpr auto kNoisyVectors = static_cast<StreamPurpose>(82);
inline constexpr auto kWordDraws = static_cast<StreamPurpose>(83);
inline constexpr auto kBootstrap = static_cast<StreamPurpose>(84);
inline constexpr auto kPerceptron = static_cast<StreamPurpose>(85);
inline constexpr auto kFeatureHalves = static_cast<StreamPurpose>(86);
inline constexpr auto kUserSplits = static_cast<StreamPurpose>(87);
inline constexpr auto kWordGuesses = static_cast<StreamPurpose>(88);

}  // namespace epsilens::corpus
