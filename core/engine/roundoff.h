#pragma once

namespace epsilens::engine {

inline constexpr double kFloatRoundoff = 0x1p-24;   ///< unit roundoff of float32
inline constexpr double kDoubleRoundoff = 0x1p-53;  ///< unit roundoff of float64

}  // namespace epsilens::engine
