#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/kind.h"

namespace epsilens::engine {

/// Which noise mechanism, with the parameters that the kinds have.
struct NoiseChoice {
    mechanism::Kind kind = mechanism::Kind::laplace;              ///< not tem, which draws no noise
    std::vector<double> lambdas{0.0};                             ///< variants of mahalanobis
    mechanism::RadialLaw law = mechanism::RadialLaw::riemannian;  ///< of hyperbolic
    mechanism::Placement placement = mechanism::Placement::mobius;  ///< of hyperbolic
};

/// The mechanism on a space, which must outlive it. Fails as the mechanism's own create does, and
/// with unsupported for tem.
[[nodiscard]] Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                                     const NoiseChoice& choice);

}  // namespace epsilens::engine
