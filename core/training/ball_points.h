#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// Points of the Poincaré ball while they are trained: float64, one row per node.
///
/// A row holds the coordinates, zeros up to width(), and at width() the gap 1 - ||x||^2. Each row
/// starts on a new cache line, so that threads that change different points do not slow each other
/// down.
class BallPoints {
public:
    /// Largest norm of a point. Closer to the edge, 1 - ||x||^2 would lose too many digits.
    static constexpr double kLargestNorm = 1.0 - 1e-5;
    /// Number of coordinates that a loop over a row processes at once.
    static constexpr std::size_t kBlock = 4;

    /// All points at the origin.
    BallPoints(Row nodes, Eigen::Index dimensions);

    /// Draws the initial points: independent coordinates, uniform on (-0.001, 0.001) (Nickel and
    /// Kiela 2017). With up to 1,000,000 dimensions all points are in the ball.
    void scatter(std::uint64_t seed);
    void set(Row node, const Eigen::Ref<const Eigen::RowVectorXd>& point);
    /// Updates the gap of a row whose coordinates have this squared norm, after scaling the row to
    /// the norm kLargestNorm if it is longer.
    void settle(double* row, double squaredNorm) const;

    [[nodiscard]] Row nodeCount() const { return static_cast<Row>(m_lines.size() / m_stride); }
    [[nodiscard]] std::size_t width() const { return m_width; }
    [[nodiscard]] double* row(Row node) {
        return m_lines[static_cast<std::size_t>(node) * m_stride].values.data();
    }
    [[nodiscard]] const double* row(Row node) const {
        return m_lines[static_cast<std::size_t>(node) * m_stride].values.data();
    }
    /// Asks for a row that will be changed soon to be brought into the cache; changes nothing.
    void fetch(Row node) const;
    /// The points as a matrix: nodes x dimensions.
    [[nodiscard]] RowMatrixD matrix() const;

    [[nodiscard]] static double bytesFor(Row nodes, Eigen::Index dimensions);

private:
    static constexpr std::size_t kLineValues = 8;
    struct alignas(64) CacheLine {
        std::array<double, kLineValues> values{};
    };

    Eigen::Index m_dimensions;
    std::size_t m_width;   ///< dimensions, rounded up to whole blocks
    std::size_t m_stride;  ///< cache lines of a row
    std::vector<CacheLine> m_lines;
};

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
