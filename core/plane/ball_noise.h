#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/unit_draws.h"
#include "core/plane/plane_axes.h"

namespace epsilens::plane {

/// Circle that is the projection of a hyperbolic ball around a word of the Poincaré ball.
///
/// The points within hyperbolic distance r of w are the Euclidean ball of centre
///   w (1 - s^2) / (1 - s^2 ||w||^2)  and radius  s (1 - ||w||^2) / (1 - s^2 ||w||^2),
/// s = tanh(r/2), in any number of dimensions; its projection on a plane is a disk of that radius.
/// Source: Beardon 1983, The Geometry of Discrete Groups, section 7.2 (two dimensions; by rotation
/// about the line through w and the origin in more)
///
/// word    projection of w to the plane;  gap  1 - ||w||^2;  radius  r >= 0
[[nodiscard]] Contour geodesicCircle(const PlanePoint& word, double gap, double radius);

/// Hyperbolic noise projected to a plane of the ball. The random numbers are drawn once; epsilon
/// only changes the radii, at fixed quantiles.
class BallNoise {
public:
    /// draws  number of noisy points
    BallNoise(embedding::EmbeddingHandle embedding, const mechanism::HyperbolicNoise& noise,
              std::uint64_t seed, std::int64_t draws);

    /// Circles of the balls that hold PlaneNoise::kShares of the noise; empty if the law does not
    /// exist at this epsilon.
    [[nodiscard]] std::vector<Contour> contours(const PlaneAxes& plane, embedding::Row word,
                                                double epsilon) const;
    /// Hyperbolic radii that hold these shares; 0 if the law does not exist.
    [[nodiscard]] std::array<double, 2> radii(double epsilon) const;
    /// Offsets of the noisy points from the word, in the plane; none if the law does not exist.
    [[nodiscard]] std::vector<PlanePoint> draws(const PlaneAxes& plane, embedding::Row word,
                                                double epsilon) const;

private:
    embedding::EmbeddingHandle m_embedding;
    mechanism::HyperbolicNoise m_noise;
    mechanism::UnitDraws m_units;
};

}  // namespace epsilens::plane
