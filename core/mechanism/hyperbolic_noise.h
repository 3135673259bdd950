#pragma once

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/parameters.h"
#include "core/numeric/hyperbolic_radius.h"

namespace epsilens::mechanism {

/// The noisy point v = exp_w(r xi) of a word w, in float64: d_H(w, v) = r.
///
/// word       m float32 values of norm < 1;  gap  1 - ||w||^2
/// direction  m values of norm 1
/// radius     >= 0; may be infinite, then v lies on the sphere that bounds the ball
/// Source: Ganea, Bécigneul, Hofmann 2018, Eq. 4 and Lemma 2, arranged so that nothing cancels near
/// the edge.
[[nodiscard]] VectorD noisyPoint(const float* word, double gap, const double* direction,
                                 Eigen::Index dimensions, double radius);

/// Noise in hyperbolic space for Poincaré embeddings: uniform direction, radius by the law, placed
/// at the word; the output is the word nearest to the noisy point in Poincaré distance d_H.
/// Source: Feyisetan, Diethe, Drake 2019. Derivation of the guarantees: hyperbolic_noise.md
class HyperbolicNoise {
public:
    /// Fails with unsupported when rows have norm >= 1; the message has their number.
    [[nodiscard]] static Result<HyperbolicNoise> create(
        const embedding::PreparedEmbedding& embedding, RadialLaw law);

    [[nodiscard]] RadialLaw law() const { return m_law; }
    [[nodiscard]] Eigen::Index dimensions() const { return m_dimensions; }
    /// epsilon must exceed this: m - 1 for riemannian, 0 for eq7.
    [[nodiscard]] double epsilonBound() const;
    /// The law of the radius at one epsilon. Fails with invalidArgument where it does not exist.
    [[nodiscard]] Result<numeric::HyperbolicRadius> radiusAt(double epsilon) const;
    /// The epsilon from which a draw stays within a radius; see numeric::epsilonOfRadius.
    [[nodiscard]] double epsilonOfRadius(double radius, double quantile) const;
    /// Limit of a draw's radius as epsilon falls to its bound.
    [[nodiscard]] double largestRadius(double quantile) const;
    /// What is promised at an epsilon, > epsilonBound(): epsilon d_H for riemannian,
    /// (epsilon + m) d_H for eq7.
    [[nodiscard]] Guarantee guarantee(double epsilon) const;

private:
    HyperbolicNoise(Eigen::Index dimensions, RadialLaw law)
        : m_dimensions(dimensions), m_law(law) {}

    Eigen::Index m_dimensions;
    RadialLaw m_law;
};

}  // namespace epsilens::mechanism
