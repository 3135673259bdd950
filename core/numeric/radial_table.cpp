#include "core/numeric/radial_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace epsilens::numeric {
namespace {

// Newton's method squares the error: a relative step this small leaves nothing that double shows.
constexpr double kLastStep = 1e-8;
constexpr int kMostSteps = 50;
// Share of the whole that the table may leave out at either end, far below 2^-53.
constexpr double kNegligibleShare = 1e-20;
// Smaller probabilities may lie outside the table.
constexpr double kNearZero = 1e-15;

// Where a monotone function known with its slopes at two points, (x0, y0) and (x1, y1), takes the
// value y: the cubic through the inverse function. A start for Newton's method.
double inverseCubic(double y, double x0, double y0, double slope0, double x1, double y1,
                    double slope1) {
    const double width = y1 - y0;
    const double share = (y - y0) / width;
    const double rest = 1.0 - share;
    const double x = rest * rest * ((1.0 + 2.0 * share) * x0 + share * width / slope0) +
                     share * share * ((1.0 + 2.0 * rest) * x1 - rest * width / slope1);
    return std::clamp(x, std::min(x0, x1), std::max(x0, x1));
}

}  // namespace

RadialTable::RadialTable(const RadialDensity& density)
    : m_density(density), m_reference(density.logAt(density.mode())) {
    fill();
}

void RadialTable::fill() {
    const double mode = m_density.mode();
    std::vector<double> masses;
    const auto keep = [&](double to, const PartialMoments& panel) {
        m_ends.push_back(to);
        masses.push_back(panel.mass);
    };
    integrateOutwards(m_density, mode, 0.0, mode, m_reference, kNegligibleShare, keep);
    std::reverse(m_ends.begin(), m_ends.end());
    std::reverse(masses.begin(), masses.end());
    m_ends.push_back(mode);
    integrateOutwards(m_density, mode, std::numeric_limits<double>::infinity(), mode, m_reference,
                      kNegligibleShare, keep);
    const std::size_t ends = m_ends.size();
    m_below.assign(ends, 0.0);
    m_above.assign(ends, 0.0);
    // Of what lies beyond the last panel only the size matters: no probability below 1 leaves so
    // little above it.
    m_above.back() = std::exp(m_density.logAt(m_ends.back()) - m_reference) /
                     -m_density.shapeAt(m_ends.back()).slope;
    for (std::size_t i = 1; i < ends; ++i) {
        m_below[i] = m_below[i - 1] + masses[i - 1];
    }
    for (std::size_t i = ends - 1; i > 0; --i) {
        m_above[i - 1] = m_above[i] + masses[i - 1];
    }
    m_scale = 1.0 / (m_below.back() + m_above.back());
    for (std::size_t i = 0; i < ends; ++i) {
        m_below[i] *= m_scale;
        m_above[i] *= m_scale;
        m_densities.push_back(densityAt(m_ends[i]));
    }
}

double RadialTable::densityAt(double radius) const {
    return m_scale * std::exp(m_density.logAt(radius) - m_reference);
}

double RadialTable::massBetween(double from, double to) const {
    return m_scale * integratePanel(m_density, from, to, from, m_reference).mass;
}

double RadialTable::quantile(double probability) const {
    if (probability < kNearZero) {
        return quantileNearZero(m_density, probability);
    }
    return probability <= 0.5 ? fromBelow(probability) : fromAbove(1.0 - probability);
}

double RadialTable::fromBelow(double probability) const {
    const auto after = std::lower_bound(m_below.begin() + 1, m_below.end() - 1, probability);
    const auto i = static_cast<std::size_t>(after - m_below.begin());
    const double low = m_ends[i - 1];
    const double high = m_ends[i];
    const double wanted = std::log(probability);
    // ln F is concave in ln r with slopes of at most m, and almost straight where r is small.
    double logRadius = 0.0;
    if (m_below[i - 1] > 0.0) {
        logRadius = inverseCubic(wanted, std::log(low), std::log(m_below[i - 1]),
                                 low * m_densities[i - 1] / m_below[i - 1], std::log(high),
                                 std::log(m_below[i]), high * m_densities[i] / m_below[i]);
    } else {
        logRadius = std::log(high) + (wanted - std::log(m_below[i])) / m_density.dimensions();
    }
    for (int step = 0; step < kMostSteps; ++step) {
        const double radius = std::exp(logRadius);
        const double mass = m_below[i - 1] + massBetween(low, radius);
        const double change = (wanted - std::log(mass)) * mass / (radius * densityAt(radius));
        logRadius += change;
        if (std::fabs(change) <= kLastStep) {
            break;
        }
    }
    return std::exp(logRadius);
}

double RadialTable::fromAbove(double rest) const {
    const auto after = std::lower_bound(m_above.rbegin() + 1, m_above.rend() - 1, rest);
    const auto i = static_cast<std::size_t>(m_above.rend() - after) - 1;
    const double low = m_ends[i];
    const double high = m_ends[i + 1];
    const double wanted = std::log(rest);
    double radius =
        inverseCubic(wanted, low, std::log(m_above[i]), -m_densities[i] / m_above[i], high,
                     std::log(m_above[i + 1]), -m_densities[i + 1] / m_above[i + 1]);
    for (int step = 0; step < kMostSteps; ++step) {
        const double mass = m_above[i + 1] + massBetween(radius, high);
        const double change = (std::log(mass) - wanted) * mass / densityAt(radius);
        radius += change;
        if (std::fabs(change) <= kLastStep * radius) {
            break;
        }
    }
    return radius;
}

double quantileNearZero(const RadialDensity& density, double probability) {
    const double start = density.mode() > 0.0 ? density.mode() : 1.0 / density.decay();
    const double below = sideBelow(density, start).logMass;
    const double above = sideAbove(density, start).logMass;
    const double wanted = std::max(below, above) + std::log1p(std::exp(-std::fabs(below - above))) +
                          std::log(probability);
    double logRadius = std::log(start) + (wanted - below) / density.dimensions();
    for (int step = 0; step < kMostSteps; ++step) {
        const double radius = std::exp(logRadius);
        const double logMass = sideBelow(density, radius).logMass;
        const double change =
            (wanted - logMass) * std::exp(logMass - density.logAt(radius)) / radius;
        logRadius += change;
        if (std::fabs(change) <= kLastStep) {
            break;
        }
    }
    return std::exp(logRadius);
}

}  // namespace epsilens::numeric
