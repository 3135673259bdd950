#pragma once

#include <cstdint>

#include "core/base/eigen.h"
#include "core/base/random_stream.h"
#include "core/mechanism/elliptical_noise.h"

namespace epsilens::mechanism {

/// Draws before any parameter acts on them: they serve every epsilon and lambda (common random
/// numbers), so that curves are smooth in both.
struct UnitDraws {
    RowMatrixD directions{};  ///< R x m, uniform on the unit sphere
    VectorD quantiles{};      ///< R, of the radius, in (0, 1)
};

/// Draws [first, first + count) of a block; draw r is the stream (seed, purpose, block, r) alone.
[[nodiscard]] UnitDraws unitDraws(std::uint64_t seed, StreamPurpose purpose, std::uint32_t block,
                                  std::int64_t first, std::int64_t count, Eigen::Index dimensions);

/// Z at epsilon = 1, one row per draw, rounded to float32: the noise that search and reference use.
[[nodiscard]] RowMatrixF noiseAtUnitEpsilon(const UnitDraws& draws, const EllipticalNoise& noise);

}  // namespace epsilens::mechanism
