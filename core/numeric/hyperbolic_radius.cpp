#include "core/numeric/hyperbolic_radius.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/special_functions/beta.hpp>

namespace epsilens::numeric {
namespace {

// The inverse incomplete beta function is known to converge down to here.
constexpr double kLeastProbability = 1e-15;

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
    return HyperbolicRadius(law, static_cast<double>(dimensions), epsilon);
}

HyperbolicRadius::HyperbolicRadius(RadialLaw law, double dimensions, double epsilon)
    : m_law(law),
      m_dimensions(dimensions),
      m_epsilon(epsilon),
      m_excess(epsilon - epsilonBound(law, static_cast<std::int64_t>(dimensions))),
      m_density(law, dimensions, m_excess) {
    if (law == RadialLaw::eq7) {
        m_logMass = logMass(m_density);
    } else {
        for (int k = 1; k < static_cast<int>(dimensions); ++k) {
            m_logShape += std::log1p(0.5 * m_excess / k);
        }
    }
}

double HyperbolicRadius::quantile(double probability) const {
    return m_law == RadialLaw::eq7 ? radialQuantile(m_density, m_logMass, probability)
                                   : betaQuantile(probability);
}

// y = e^{-2r} is Beta(a, m). Where y is negligible beside 1, P(Y <= y) = y^a / (a B(a, m)) with
// 1 / (a B(a, m)) = prod_{k < m} (1 + a / k).
double HyperbolicRadius::betaQuantile(double probability) const {
    const double logarithmic = (m_logShape - std::log1p(-probability)) / m_excess;
    if (logarithmic >= m_density.exponentialFrom()) {
        return logarithmic;
    }
    if (probability < kLeastProbability) {
        return radialQuantile(m_density, logMass(m_density), probability);
    }
    const double a = 0.5 * m_excess;
    try {
        double rest = 0.0;
        const double y = probability < 0.5
                             ? boost::math::ibetac_inv(a, m_dimensions, probability, &rest)
                             : boost::math::ibeta_inv(a, m_dimensions, 1.0 - probability, &rest);
        return y < 0.5 ? -0.5 * std::log(y) : -0.5 * std::log1p(-rest);
    } catch (const boost::math::evaluation_error&) {
        // Boost 1.74 finds no root beside a median of y = 1/2, at a = m = 5 for one.
        return radialQuantile(m_density, logMass(m_density), probability);
    }
}

}  // namespace epsilens::numeric
