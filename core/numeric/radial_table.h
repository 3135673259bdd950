#pragma once

#include <cstddef>
#include <vector>

#include "core/numeric/radial_density.h"

namespace epsilens::numeric {

/// Inverse distribution function of a radial density. The masses of panels are computed once and
/// locate the panel of a quantile. Inside the panel, Newton's method runs on the logarithm of the
/// mass from the nearer side, which keeps full relative accuracy in both tails.
class RadialTable {
public:
    explicit RadialTable(const RadialDensity& density);

    /// probability  in (0, 1)
    /// Relative error about 1e-12.
    [[nodiscard]] double quantile(double probability) const;

private:
    void fill();
    [[nodiscard]] double densityAt(double radius) const;
    [[nodiscard]] double massBetween(double from, double to) const;
    [[nodiscard]] double fromBelow(double probability) const;
    [[nodiscard]] double fromAbove(double rest) const;

    RadialDensity m_density;
    double m_reference = 0.0;      ///< logarithm of the density at its mode
    double m_scale = 1.0;          ///< e^reference over the whole mass
    std::vector<double> m_ends{};  ///< ends of the panels, ascending
    /// Mass below and above each end, and the density there, relative to the total mass.
    std::vector<double> m_below{};
    std::vector<double> m_above{};
    std::vector<double> m_densities{};
};

/// Quantile far down the lower tail, where F(r) is close to a multiple of r^m.
///
/// probability  in (0, 1e-10]
[[nodiscard]] double quantileNearZero(const RadialDensity& density, double probability);

}  // namespace epsilens::numeric
