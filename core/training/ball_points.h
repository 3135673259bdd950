#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
    /// Copies the rows [begin, end) of points of the same shape.
    void copy(const BallPoints& other, Row begin, Row end);
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

}  // namespace epsilens::training
