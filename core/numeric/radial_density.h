#pragma once

#include <cstdint>

namespace epsilens::numeric {

/// Laws of the hyperbolic radius r >= 0 of noise in m dimensions:
///   riemannian  pdf(r) ∝ sinh^{m-1}(r) e^{-epsilon r}, which exists for epsilon > m - 1;
///   eq7         pdf(r) ∝ tanh^{m-1}(r/2) sech^2(r/2) e^{-epsilon r}.
/// Source: Feyisetan, Diethe, Drake 2019, Eq. 7; its shape with respect to hyperbolic volume.
enum class RadialLaw { riemannian, eq7 };

/// Density of the radius without its constant, in logarithms. With z = e^{-k r} both laws are
///   ln pdf(r) = (m - 1) ln(1 - z) - p ln(1 + e^{-r}) - decay r,
/// k = 2, p = 0, decay = epsilon - m + 1 (riemannian); k = 1, p = m + 1, decay = epsilon + 1 (eq7).
/// It is concave. Only e^{-r} has to be formed, so that nothing overflows.
class RadialDensity {
public:
    /// excess  epsilon minus the bound of the law (m - 1 or 0), > 0; a separate number because it
    ///         can be far smaller than the rounding error of epsilon
    RadialDensity(RadialLaw law, double dimensions, double excess);

    [[nodiscard]] double logAt(double radius) const;
    [[nodiscard]] double mode() const { return m_mode; }
    /// A radius > 0 where much of the mass is.
    [[nodiscard]] double middle() const { return m_mode > 0.0 ? m_mode : 1.0 / m_decay; }
    /// First derivative of the logarithm, and the negative of the second. radius > 0 unless m = 1.
    struct Shape {
        double slope = 0.0;
        double curvature = 0.0;
    };
    [[nodiscard]] Shape shapeAt(double radius) const;
    /// Precomputed values at a radius for ratiosAt, so that a quadrature node needs no logarithm.
    struct Neighbourhood {
        bool isExponential = false;
        double logDensity = 0.0;
        double e = 0.0;     ///< e^{-r}
        double z = 0.0;     ///< e^{-k r}
        double rest = 0.0;  ///< 1 - z
    };
    [[nodiscard]] Neighbourhood around(double radius) const;
    /// Densities at radius - offset and radius + offset, divided by the density at the radius.
    /// offset in [0, radius]
    struct Pair {
        double below = 0.0;
        double above = 0.0;
    };
    [[nodiscard]] Pair ratiosAt(const Neighbourhood& near, double offset) const;
    /// Beyond exponentialFrom() the density is an exponential with this rate, to double precision.
    [[nodiscard]] double decay() const { return m_decay; }
    [[nodiscard]] double exponentialFrom() const { return m_exponentialFrom; }

private:
    double m_rise;            ///< m - 1
    std::int64_t m_exponent;  ///< the same, as a whole number
    double m_rate;            ///< k
    double m_fade;            ///< p
    double m_decay;
    double m_mode;
    double m_exponentialFrom;
};

/// Mass and moments on one side of a radius.
struct SideOfRadius {
    double logMass = 0.0;   ///< of the density without its constant
    double distance = 0.0;  ///< mean distance from the radius, >= 0
    double variance = 0.0;
};
enum class Side { below, above };
[[nodiscard]] SideOfRadius sideOf(const RadialDensity& density, double radius, Side side);

/// Logarithm of the whole mass of the density without its constant.
[[nodiscard]] double logMass(const RadialDensity& density);
/// The radius with that share of the mass below it. Newton's method on the logarithm of the mass of
/// the smaller side, which is concave, so that it comes from one side and keeps full relative
/// accuracy in both tails.
///
/// whole        logMass(density)
/// probability  in (0, 1)
/// Relative error about 1e-12.
[[nodiscard]] double radialQuantile(const RadialDensity& density, double whole, double probability);

}  // namespace epsilens::numeric
