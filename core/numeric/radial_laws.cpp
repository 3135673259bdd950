#include "core/numeric/radial_laws.h"

#include <cassert>
#include <cmath>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>

namespace epsilens::numeric {
namespace {

// P(projected radius > rho), integrated over the quantile of Y rather than over Y, which bounds the
// interval: q in (P(Y <= rho), 1).
double planarTail(double rho, double dimensions) {
    const double exponent = 0.5 * (dimensions - 2.0);
    const auto integrand = [&](double radius) {
        const double share = 1.0 - (rho / radius) * (rho / radius);
        const double logDensity =
            (dimensions - 1.0) * std::log(radius) - radius - boost::math::lgamma(dimensions);
        return share <= 0.0 ? 0.0 : std::exp(exponent * std::log(share) + logDensity);
    };
    // Beyond 1 - 1e-18 of Y nothing remains that matters at the stated accuracy.
    const double end = boost::math::gamma_q_inv(dimensions, 1e-18);
    if (rho >= end) {
        return 0.0;
    }
    const double middle = std::max(rho, std::min(end, dimensions));
    using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
    double tail = Rule::integrate(integrand, middle, end, 12, 1e-12);
    if (middle > rho) {
        tail += Rule::integrate(integrand, rho, middle, 12, 1e-12);
    }
    return tail;
}

}  // namespace

double gammaQuantile(double shape, double probability) {
    return boost::math::gamma_p_inv(shape, probability);
}

double planarRadiusQuantile(double share, std::int64_t dimensions) {
    assert(share > 0.0 && share < 1.0 && dimensions >= 2);
    const auto m = static_cast<double>(dimensions);
    if (dimensions == 2) {
        return gammaQuantile(m, share);
    }
    const auto excess = [&](double rho) { return planarTail(rho, m) - (1.0 - share); };
    // A projection is no longer than the noise.
    const double high = gammaQuantile(m, share);
    std::uintmax_t iterations = 200;
    const auto bracket = boost::math::tools::toms748_solve(
        excess, 0.0, high, boost::math::tools::eps_tolerance<double>(40), iterations);
    return 0.5 * (bracket.first + bracket.second);
}

}  // namespace epsilens::numeric
