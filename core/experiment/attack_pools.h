#pragma once

#include <cstdint>

namespace epsilens::experiment {

/// Numbers of the pools of draws that attacks use, above those of the repeats of a classification
/// and below 2^16. See DrawPool.
inline constexpr std::uint32_t kAttackedTextPool = 40'000;
inline constexpr std::uint32_t kKnownTextsPool = 41'003;
inline constexpr std::uint32_t kUnknownTextsPool = 41'004;
inline constexpr std::uint32_t kAuditPool = 41'005;
inline constexpr std::uint32_t kTargetPool = 42'000;  ///< and one for each further repeat
inline constexpr std::uint32_t kShadowPool = 44'000;  ///< likewise

}  // namespace epsilens::experiment
