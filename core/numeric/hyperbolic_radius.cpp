#include "core/numeric/hyperbolic_radius.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace epsilens::numeric {

double epsilonBound(RadialLaw law, std::int64_t dimensions) {
    return law == RadialLaw::riemannian ? static_cast<double>(dimensions - 1) : 0.0;
}

double radiusAtBound(RadialLaw law, std::int64_t dimensions, double probability) {
    if (law == RadialLaw::riemannian) {
        return std::numeric_limits<double>::infinity();
    }
    const double logTanh = std::log(probability) / static_cast<double>(dimensions);
    return std::log1p(2.0 * std::exp(logTanh) / -std::expm1(logTanh));
}

Result<HyperbolicRadius> HyperbolicRadius::create(RadialLaw law, std::int64_t dimensions,
                                                  double epsilon) {
    if (dimensions < 1) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("dimensions = {} is outside its range, 1 or more", dimensions));
    }
    const double bound = epsilonBound(law, dimensions);
    if (!(epsilon > bound)) {
        return fail(ErrorCode::invalidArgument,
                    law == RadialLaw::eq7
                        ? fmt::format("ε = {} is outside its range, finite and > 0", epsilon)
                        : fmt::format("ε = {} is outside its range: riemannian noise in {} "
                                      "dimensions exists only for finite ε > {}",
                                      epsilon, dimensions, bound));
    }
    if (!(epsilon <= kLargestHyperbolicEpsilon)) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("ε = {} is outside its range: hyperbolic noise is computed up to "
                                "ε = {:g}",
                                epsilon, kLargestHyperbolicEpsilon));
    }
    return HyperbolicRadius(epsilon,
                            RadialDensity(law, static_cast<double>(dimensions), epsilon - bound));
}

double HyperbolicRadius::quantile(double probability) const {
    return radialQuantile(m_density, m_logMass, probability);
}

}  // namespace epsilens::numeric
