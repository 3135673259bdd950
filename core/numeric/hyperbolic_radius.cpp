#include "core/numeric/hyperbolic_radius.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/numeric/radial_laws.h"

namespace epsilens::numeric {
namespace {

constexpr double kLastEpsilonStep = 1e-5;  // relative; steps of third order leave about its cube
constexpr int kMostRounds = 100;

// ln tanh(r/2), which for large r is not lost in the rounding of tanh to 1.
double logHalfTanh(double radius) {
    if (radius < 1.0) {
        return std::log(std::tanh(0.5 * radius));
    }
    const double y = std::exp(-radius);
    return std::log1p(-2.0 * y / (1.0 + y));
}

// Guess at epsilon minus its bound. For small radii the noise is flat and epsilon r a gamma
// quantile x; the rest bends the curve to its known end, r = 2 artanh(q^{1/m}) for eq7 and
// infinity for riemannian.
double roughExcess(RadialLaw law, double dimensions, double radius, double probability) {
    const double x = gammaQuantile(dimensions, probability);
    if (law == RadialLaw::riemannian) {
        const double halfHarmonic = 0.5 * std::log(dimensions);
        const double slow =
            radius > halfHarmonic ? -std::log1p(-probability) / (radius - halfHarmonic) : 0.0;
        return std::max(2.0 * x / std::expm1(2.0 * radius), slow);
    }
    const double logShare = logHalfTanh(radius) - std::log(probability) / dimensions;
    return -x * std::expm1(2.0 * logShare) / (2.0 * std::tanh(0.5 * radius));
}

}  // namespace

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
        return refuse(fmt::format("dimensions = {} is outside its range, 1 or more", dimensions));
    }
    const double bound = epsilonBound(law, dimensions);
    if (!(epsilon > bound)) {
        return refuse(law == RadialLaw::eq7
                          ? fmt::format("ε = {} is outside its range, finite and > 0", epsilon)
                          : fmt::format("ε = {} is outside its range: riemannian noise in {} "
                                        "dimensions exists only for finite ε > {}",
                                        epsilon, dimensions, bound));
    }
    if (!(epsilon <= kLargestHyperbolicEpsilon)) {
        return refuse(
            fmt::format("ε = {} is outside its range: hyperbolic noise is computed up to ε = {:g}",
                        epsilon, kLargestHyperbolicEpsilon));
    }
    return HyperbolicRadius(epsilon,
                            RadialDensity(law, static_cast<double>(dimensions), epsilon - bound));
}

double HyperbolicRadius::quantile(double probability) const {
    return radialQuantile(m_density, m_logMass, probability);
}

double epsilonOfRadius(RadialLaw law, std::int64_t dimensions, double radius, double probability) {
    const auto m = static_cast<double>(dimensions);
    const double bound = epsilonBound(law, dimensions);
    const double logProbability = std::log(probability);
    if (std::isinf(radius) ||
        (law == RadialLaw::eq7 && logProbability <= m * logHalfTanh(radius))) {
        return bound;
    }
    const double wanted = logProbability - std::log1p(-probability);
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    double excess = roughExcess(law, m, radius, probability);
    for (int round = 0; round < kMostRounds; ++round) {
        const RadialDensity density(law, m, excess);
        const SideOfRadius below = sideOf(density, radius, Side::below);
        const SideOfRadius above = sideOf(density, radius, Side::above);
        const double value = below.logMass - above.logMass - wanted;
        (value < 0.0 ? low : high) = excess;
        // d/d epsilon of ln(below / above) is the gap between the mean radii of the two sides.
        const double slope = below.distance + above.distance;
        const double bend = below.variance - above.variance;
        const double newton = value / slope;
        // Halley's method, held back where its correction is large.
        const double step = newton / std::max(0.5, 1.0 - 0.5 * newton * bend / slope);
        const double next = excess - step;
        if (std::fabs(step) <= kLastEpsilonStep * excess) {
            return bound + next;
        }
        if (next > low && next < high) {
            excess = next;
        } else if (std::isinf(high)) {
            excess *= 4.0;
        } else {
            excess = low > 0.0 ? std::sqrt(low * high) : high / 16.0;
        }
    }
    return bound + excess;
}

}  // namespace epsilens::numeric
