#pragma once

#include <cstdint>

#include "core/base/error.h"
#include "core/numeric/radial_density.h"

namespace epsilens::numeric {

/// The exclusive lower bound of epsilon for which the law exists: m - 1 for riemannian, 0 for eq7.
[[nodiscard]] double epsilonBound(RadialLaw law, std::int64_t dimensions);

/// Largest supported epsilon. Its noise is shorter than 1e-6, which is less than the spacing of
/// float32 vectors near the edge of the ball.
inline constexpr double kLargestHyperbolicEpsilon = 1e9;

/// Limit of the q-quantile of the radius as epsilon falls to its bound: infinite for riemannian,
/// 2 artanh(q^{1/m}) for eq7.
///
/// probability  q in (0, 1)
[[nodiscard]] double radiusAtBound(RadialLaw law, std::int64_t dimensions, double probability);

/// Law of the hyperbolic radius of noise at one epsilon: the inverse of its distribution function.
/// Draws at different epsilon are coupled by using the same quantiles. Immutable.
///
/// By partial integrals; relative error of the radius at most 1e-8.
class HyperbolicRadius {
public:
    /// dimensions  m >= 1
    /// epsilon     > epsilonBound(law, m), at most kLargestHyperbolicEpsilon
    /// Fails with invalidArgument outside these ranges, NaN included; the message names the bound.
    [[nodiscard]] static Result<HyperbolicRadius> create(RadialLaw law, std::int64_t dimensions,
                                                         double epsilon);

    [[nodiscard]] double epsilon() const { return m_epsilon; }
    /// The r > 0 with F(r) = probability. Near epsilon = m - 1 it can be huge, so that callers may
    /// form only tanh r, tanh r/2 and e^{-r}.
    ///
    /// probability  in (0, 1)
    [[nodiscard]] double quantile(double probability) const;

private:
    HyperbolicRadius(double epsilon, const RadialDensity& density)
        : m_epsilon(epsilon), m_density(density), m_logMass(logMass(density)) {}

    double m_epsilon;
    RadialDensity m_density;
    double m_logMass;
};

/// The epsilon at which a radius is the given quantile: F_epsilon(r) = q. F rises with epsilon, so
/// a draw with quantile q stays within radius r at this epsilon and above, and only there.
///
/// radius       > 0, may be infinite
/// probability  q in (0, 1)
/// Returns at least epsilonBound(law, m), and exactly this for an infinite radius. For eq7 returns
/// 0 if q <= tanh^m(r/2), the limit of F as epsilon -> 0. Error at most 1e-10 plus 1e-8 of epsilon
/// minus the bound.
[[nodiscard]] double epsilonOfRadius(RadialLaw law, std::int64_t dimensions, double radius,
                                     double probability);

}  // namespace epsilens::numeric
