#include "core/numeric/radial_density.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <boost/math/quadrature/gauss.hpp>

namespace epsilens::numeric {
namespace {

using GaussRule = boost::math::quadrature::gauss<double, 15>;

// Where m e^{-k r} is below this, the density is a pure exponential in double precision.
constexpr double kNegligible = 1e-18;
// A panel spans at most so many standard deviations of a Gaussian, nats of an exponential, and
// units of r (the logarithms have their singularities at distance pi from the real axis).
constexpr double kDeviations = 2.0;
constexpr double kNats = 6.0;
constexpr double kUnits = 2.0;
// What the side of a radius may leave out, as a share.
constexpr double kNegligibleTail = 1e-14;

// Mode of riemannian: z = decay / (decay + 2 (m - 1)); of eq7: s = tanh(r/2) is the positive root
// of (m + 1) s^2 + 2 epsilon s - (m - 1) = 0.
double modeOf(RadialLaw law, double dimensions, double excess) {
    if (law == RadialLaw::riemannian) {
        return 0.5 * std::log1p(2.0 * (dimensions - 1.0) / excess);
    }
    const double s = (dimensions - 1.0) /
                     (excess + std::hypot(excess, std::sqrt(dimensions * dimensions - 1.0)));
    return std::log1p(2.0 * s / (1.0 - s));
}

double power(double base, std::int64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) {
            result *= base;
        }
        base *= base;
    }
    return result;
}

double panelWidth(const RadialDensity& density, double from, bool rising) {
    const RadialDensity::Shape shape = density.shapeAt(from);
    const double rate =
        std::max(std::sqrt(shape.curvature) / kDeviations, std::fabs(shape.slope) / kNats);
    const bool isExponential = rising && from >= density.exponentialFrom();
    return 1.0 / (isExponential ? rate : std::max(rate, 1.0 / kUnits));
}

/// Mass of an interval of the density, scaled by e^{-reference}, and its first two moments about an
/// origin.
struct PartialMoments {
    double mass = 0.0;
    double first = 0.0;
    double second = 0.0;

    PartialMoments& operator+=(const PartialMoments& other) {
        mass += other.mass;
        first += other.first;
        second += other.second;
        return *this;
    }
};

// The pure exponential beyond a radius.
PartialMoments exponentialTail(const RadialDensity& density, double from, double origin,
                               double reference) {
    const double mean = 1.0 / density.decay();
    const double offset = from - origin;
    PartialMoments tail;
    tail.mass = std::exp(density.logAt(from) - reference) * mean;
    tail.first = tail.mass * (offset + mean);
    tail.second = tail.mass * (offset * offset + 2.0 * mean * (offset + mean));
    return tail;
}

// Integral from `from` to `to` by one Gauss-Legendre rule; `to` may be below `from`. Accurate to
// double precision on the intervals that integrateOutwards chooses.
PartialMoments integratePanel(const RadialDensity& density, double from, double to, double origin,
                              double reference) {
    const double middle = 0.5 * (from + to);
    const double half = 0.5 * std::fabs(to - from);
    const RadialDensity::Neighbourhood near = density.around(middle);
    const auto& nodes = GaussRule::abscissa();
    const auto& weights = GaussRule::weights();
    const double shift = middle - origin;
    PartialMoments sum{weights[0], weights[0] * shift, weights[0] * shift * shift};
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const double offset = half * nodes[i];
        const RadialDensity::Pair ratios = density.ratiosAt(near, offset);
        const double below = weights[i] * ratios.below;
        const double above = weights[i] * ratios.above;
        sum += {below + above, below * (shift - offset) + above * (shift + offset),
                below * (shift - offset) * (shift - offset) +
                    above * (shift + offset) * (shift + offset)};
    }
    const double scale = half * std::exp(near.logDensity - reference);
    return {scale * sum.mass, scale * sum.first, scale * sum.second};
}

// Integral from `start` outwards to `limit` (0, a radius, or infinity), on the side where the
// density falls away from `start`.
PartialMoments integrateOutwards(const RadialDensity& density, double start, double limit,
                                 double origin, double reference) {
    const bool rising = limit > start;
    PartialMoments sum;
    double from = start;
    while (from != limit) {
        if (std::isinf(limit) && from >= density.exponentialFrom()) {
            sum += exponentialTail(density, from, origin, reference);
            return sum;
        }
        const double width = panelWidth(density, from, rising);
        const double end = rising ? from + width : from - width;
        const double to = width < std::fabs(limit - from) ? end : limit;
        const PartialMoments panel = integratePanel(density, from, to, origin, reference);
        sum += panel;
        if (panel.mass <= kNegligibleTail * sum.mass) {
            return sum;
        }
        from = to;
    }
    return sum;
}

}  // namespace

RadialDensity::RadialDensity(RadialLaw law, double dimensions, double excess)
    : m_rise(dimensions - 1.0),
      m_exponent(static_cast<std::int64_t>(m_rise)),
      m_rate(law == RadialLaw::riemannian ? 2.0 : 1.0),
      m_fade(law == RadialLaw::riemannian ? 0.0 : dimensions + 1.0),
      m_decay(law == RadialLaw::riemannian ? excess : 1.0 + excess),
      m_mode(modeOf(law, dimensions, excess)),
      m_exponentialFrom(std::log(2.0 * dimensions / kNegligible) / m_rate) {}

double RadialDensity::logAt(double radius) const {
    const double rise = m_rise > 0.0 ? m_rise * std::log(-std::expm1(-m_rate * radius)) : 0.0;
    const double fade = m_fade > 0.0 ? m_fade * std::log1p(std::exp(-radius)) : 0.0;
    return rise - fade - m_decay * radius;
}

RadialDensity::Shape RadialDensity::shapeAt(double radius) const {
    Shape shape{-m_decay, 0.0};
    if (m_rise > 0.0) {
        const double rest = -std::expm1(-m_rate * radius);
        const double odds = (1.0 - rest) / rest;
        shape.slope += m_rise * m_rate * odds;
        shape.curvature += m_rise * m_rate * m_rate * odds / rest;
    }
    if (m_fade > 0.0) {
        const double e = std::exp(-radius);
        shape.slope += m_fade * e / (1.0 + e);
        shape.curvature += m_fade * e / ((1.0 + e) * (1.0 + e));
    }
    return shape;
}

RadialDensity::Neighbourhood RadialDensity::around(double radius) const {
    Neighbourhood near;
    near.isExponential = radius >= m_exponentialFrom;
    near.logDensity = logAt(radius);
    near.e = std::exp(-radius);
    near.z = std::exp(-m_rate * radius);
    near.rest = -std::expm1(-m_rate * radius);
    return near;
}

// With the base Z / (1 + e) for eq7 and Z for riemannian, Z = 1 - z, the ratio of densities is
// (base ratio)^{m-1} ((1 + e) / (1 + e'))^2 e^{-decay (r' - r)}, the square for eq7 only.
RadialDensity::Pair RadialDensity::ratiosAt(const Neighbourhood& near, double offset) const {
    const double fall = std::exp(-m_decay * offset);
    if (near.isExponential) {
        return {1.0 / fall, fall};
    }
    const double growth = std::expm1(m_rate * offset);
    const double restBelow = std::max(0.0, near.rest - near.z * growth);
    const double restAbove = near.rest + near.z * growth / (1.0 + growth);
    if (m_rate == 2.0) {
        return {power(restBelow / near.rest, m_exponent) / fall,
                power(restAbove / near.rest, m_exponent) * fall};
    }
    const double below = (1.0 + near.e) / (1.0 + near.e * (1.0 + growth));
    const double above = (1.0 + near.e) / (1.0 + near.e / (1.0 + growth));
    return {power(restBelow / near.rest * below, m_exponent) * below * below / fall,
            power(restAbove / near.rest * above, m_exponent) * above * above * fall};
}

SideOfRadius sideOf(const RadialDensity& density, double radius, Side side) {
    const bool isAbove = side == Side::above;
    const double mode = density.mode();
    const double peak = isAbove ? std::max(radius, mode) : std::min(radius, mode);
    const double end = isAbove ? std::numeric_limits<double>::infinity() : 0.0;
    const double reference = density.logAt(peak);
    PartialMoments moments = integrateOutwards(density, peak, end, radius, reference);
    moments += integrateOutwards(density, peak, radius, radius, reference);
    const double mean = moments.first / moments.mass;
    return {reference + std::log(moments.mass), std::fabs(mean),
            std::max(0.0, moments.second / moments.mass - mean * mean)};
}

double logMass(const RadialDensity& density) {
    const double start = density.middle();
    const double below = sideOf(density, start, Side::below).logMass;
    const double above = sideOf(density, start, Side::above).logMass;
    return std::max(below, above) + std::log1p(std::exp(-std::fabs(below - above)));
}

double radialQuantile(const RadialDensity& density, double whole, double probability) {
    // Newton's method squares the error: a relative step this small leaves nothing that double
    // shows.
    constexpr double kLastStep = 1e-8;
    constexpr int kMostSteps = 100;
    double radius = density.middle();
    const bool isBelow = probability <= 0.5;
    const Side side = isBelow ? Side::below : Side::above;
    const double wanted = whole + (isBelow ? std::log(probability) : std::log1p(-probability));
    for (int step = 0; step < kMostSteps; ++step) {
        const double mass = sideOf(density, radius, side).logMass;
        // Of the logarithm of the mass by r below, where it is nearly m ln r, and above.
        const double change = (wanted - mass) * std::exp(mass - density.logAt(radius));
        const double next = isBelow ? radius * std::exp(change / radius) : radius - change;
        const bool isLast = std::fabs(next - radius) <= kLastStep * radius;
        radius = next;
        if (isLast) {
            break;
        }
    }
    return radius;
}

}  // namespace epsilens::numeric
