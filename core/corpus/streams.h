#pragma once

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
inline constexpr StreamPurpose kDocumentSample{80};
inline constexpr StreamPurpose kDocumentHalves{81};
inline constexpr StreamPurpose kNoisyVectors{82};
inline constexpr StreamPurpose kWordDraws{83};
inline constexpr StreamPurpose kBootstrap{84};
inline constexpr StreamPurpose kPerceptron{85};
inline constexpr StreamPurpose kFeatureHalves{86};
inline constexpr StreamPurpose kUserSplits{87};
inline constexpr StreamPurpose kWordGuesses{88};

}  // namespace epsilens::corpus
