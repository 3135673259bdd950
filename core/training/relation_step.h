#pragma once

#include <span>
#include <vector>

#include "core/training/ball_points.h"

namespace epsilens::training {

/// One step of Riemannian stochastic gradient descent on the loss of one relation.
///
///   L = -ln( e^{-d(u,v_0)} / sum_i e^{-d(u,v_i)} ),   d the Poincaré distance,
///   x <- x - rate (1 - ||x||^2)^2 / 4 dL/dx           for u and every v_i at once,
///
/// after which points longer than BallPoints::kLargestNorm are scaled to that norm. u is the child,
/// v_0 its parent, and the others are negatives. The gradient of d does not exist where two points
/// coincide; 0 is used. The points are computed only from sums, products, quotients and square
/// roots in a fixed order, so that every processor gives the same bits.
/// Source: Nickel and Kiela 2017, equations 3 to 5, with the retraction x + v. Derivation:
/// poincare_training.md
class RelationStep {
public:
    explicit RelationStep(BallPoints& points)
        : m_points(points), m_pull(points.width() / BallPoints::kBlock) {}

    /// targets  the parent, then the negatives: distinct nodes without the child
    /// rate     > 0
    /// next     targets of a later step, brought into the cache meanwhile
    /// Returns the loss before the step, in nats.
    double run(Row child, std::span<const Row> targets, double rate,
               std::span<const Row> next = {});

private:
    using Block = Eigen::Array<double, BallPoints::kBlock, 1>;

    struct Target {
        double* point;
        double squaredDistance;  ///< Euclidean, to the child
        double root;             ///< sqrt(cosh^2 d - 1)
        double weight;           ///< e^-d
    };

    void measure(const double* child, std::span<const Row> targets, std::span<const Row> next);
    /// Moves the targets, and collects the movement of the child in m_pull and m_shrink.
    void moveTargets(const double* child, double rate);
    void moveChild(double* child, double rate);

    BallPoints& m_points;
    std::vector<Target> m_targets{};
    double m_weightSum = 0.0;
    std::vector<Block> m_pull;  ///< sum of k_i (v_i - u), k_i as in poincare_training.md
    double m_shrink = 0.0;      ///< sum of k_i ||v_i - u||^2
};

}  // namespace epsilens::training
