#pragma once

#include <cstdint>
#include <functional>

namespace epsilens::numeric {

/// Laws of the hyperbolic radius r >= 0 of noise in m dimensions:
///   riemannian  pdf(r) ∝ sinh^{m-1}(r) e^{-epsilon r}, which exists for epsilon > m - 1;
///   eq7         pdf(r) ∝ tanh^{m-1}(r/2) sech^2(r/2) e^{-epsilon r}.
/// Source: Feyisetan, Diethe, Drake 2019, Eq. 7; its shape with respect to hyperbolic volume.
enum class RadialLaw { riemannian, eq7 };

/// Density of the radius without its constant, in logarithms. With z = e^{-k r} both laws are
///   ln pdf(r) = (m - 1) ln(1 - z) - p ln(1 + e^{-r}) - decay r,
/// k = 2, p = 0, decay = epsilon - m + 1 (riemannian); k = 1, p = m + 1, decay = epsilon + 1 (eq7).
/// It is concave, so that nothing but e^{-r} has to be formed and nothing overflows.
class RadialDensity {
public:
    /// excess  epsilon minus the bound below which the law does not exist (m - 1, or 0), > 0; kept
    ///         as a number of its own because it can be far smaller than the rounding of epsilon
    RadialDensity(RadialLaw law, double dimensions, double excess);

    [[nodiscard]] double dimensions() const { return m_dimensions; }
    [[nodiscard]] double logAt(double radius) const;
    [[nodiscard]] double mode() const { return m_mode; }
    /// First derivative of the logarithm, and the second one with its sign changed. radius > 0
    /// unless m = 1.
    struct Shape {
        double slope = 0.0;
        double curvature = 0.0;
    };
    [[nodiscard]] Shape shapeAt(double radius) const;
    /// What the ratios of densities about a radius need, so that a node of a quadrature rule costs
    /// no logarithm.
    struct Neighbourhood {
        bool isExponential = false;
        double logDensity = 0.0;
        double e = 0.0;     ///< e^{-r}
        double z = 0.0;     ///< e^{-k r}
        double rest = 0.0;  ///< 1 - z
    };
    [[nodiscard]] Neighbourhood around(double radius) const;
    /// Densities at radius - offset and radius + offset over that at the radius; offset >= 0, at
    /// most the radius.
    struct Pair {
        double below = 0.0;
        double above = 0.0;
    };
    [[nodiscard]] Pair ratiosAt(const Neighbourhood& near, double offset) const;
    /// Rate of the pure exponential that the density is, to double precision, beyond
    /// exponentialFrom().
    [[nodiscard]] double decay() const { return m_decay; }
    [[nodiscard]] double exponentialFrom() const { return m_exponentialFrom; }

private:
    double m_dimensions;
    double m_rise;            ///< m - 1
    std::int64_t m_exponent;  ///< the same, as a whole number
    double m_rate;            ///< k
    double m_fade;            ///< p
    double m_decay;
    double m_mode;
    double m_exponentialFrom;
};

/// Mass of a part of the density, scaled by e^{-reference}, and its first two moments about an
/// origin.
struct PartialMoments {
    double mass = 0.0;
    double first = 0.0;
    double second = 0.0;

    PartialMoments& operator+=(const PartialMoments& other);
};

/// Integral from `from` to `to` by one Gauss-Legendre rule; `to` may be below `from`. Exact to
/// double precision for intervals as integrateOutwards chooses them.
[[nodiscard]] PartialMoments integratePanel(const RadialDensity& density, double from, double to,
                                            double origin, double reference);

/// Called with each panel, outwards: its outer end and what it holds.
using PanelVisitor = std::function<void(double, const PartialMoments&)>;

/// Integral from `start` outwards to `limit`, on the side where the density falls away from
/// `start`.
///
/// limit       0, a radius, or infinity
/// negligible  the integral ends early after a panel that holds less than this share of it
PartialMoments integrateOutwards(const RadialDensity& density, double start, double limit,
                                 double origin, double reference, double negligible,
                                 const PanelVisitor& visit = nullptr);

/// What lies on one side of a radius.
struct SideOfRadius {
    double logMass = 0.0;   ///< of the density without its constant
    double distance = 0.0;  ///< mean distance from the radius, >= 0
    double variance = 0.0;
};
[[nodiscard]] SideOfRadius sideBelow(const RadialDensity& density, double radius);
[[nodiscard]] SideOfRadius sideAbove(const RadialDensity& density, double radius);

}  // namespace epsilens::numeric
