#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/score_kernel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {

/// Scores scale heights[j] - products[j] of some positions. Both arrays are aligned, and `count` is
/// a multiple of kTileWidth.
template <typename T>
struct PointScores {
    T scale = T{};
    const T* heights = nullptr;
    const T* products = nullptr;
    std::int64_t count = 0;
};

/// The least score.
template <typename T>
[[nodiscard]] T leastScore(const PointScores<T>& scores);

/// Appends the positions whose score is at most `threshold`, in ascending order.
///
/// first  the first position
template <typename T>
void collectScores(const PointScores<T>& scores, T threshold, std::int32_t first,
                   std::vector<std::int32_t>& found);

/// Positions that may be nearest to one point, collected slab by slab.
template <typename T>
class PointCandidates {
public:
    /// Collects candidates from a slab of positions that begins at `first`. The scores must be
    /// upper bounds of the true scores with upper.scale and lower bounds with lowerScale, each up
    /// to half of the slack.
    void look(const PointScores<T>& upper, T lowerScale, T slack, std::int64_t first) {
        const T least = leastScore(upper);
        m_least = std::min(m_least, least);
        if (lowerScale == upper.scale && least > threshold(slack)) {
            return;
        }
        PointScores<T> lower = upper;
        lower.scale = lowerScale;
        collect(lower, slack, first);
    }

    /// Collects candidates from positions of which only lower bounds of the true scores are known,
    /// once others have been looked at.
    void collect(const PointScores<T>& lower, T slack, std::int64_t first) {
        collectScores(lower, threshold(slack), static_cast<std::int32_t>(first), m_positions);
    }

    /// Contains the nearest position, and others that could have been nearest when they were
    /// visited.
    [[nodiscard]] const std::vector<std::int32_t>& positions() const { return m_positions; }

private:
    [[nodiscard]] T threshold(T slack) const {
        return std::nextafter(m_least + slack, std::numeric_limits<T>::infinity());
    }

    T m_least = std::numeric_limits<T>::infinity();
    std::vector<std::int32_t> m_positions{};
};

/// Number of positions per product, so that the products of a block of points stay in the cache.
inline constexpr std::int64_t kPointSlab = 1024;

/// Neighbouring positions of a space, whose scores are formed slab by slab for many points.
template <typename T>
class PointSlabs {
public:
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    /// table       a row of factors for each position; outlives this object
    /// first, end  of the positions
    /// heightAt    called with each of them
    template <typename HeightAt>
    PointSlabs(const Matrix& table, Eigen::Index first, Eigen::Index end, const HeightAt& heightAt)
        : m_table(table),
          m_first(first),
          m_end(end),
          m_heights(1, (end - first + kPointSlab - 1) / kPointSlab * kPointSlab) {
        T* const heights = m_heights.row(0);
        std::fill(heights, heights + m_heights.stride(), T{});
        for (Eigen::Index position = first; position < end; ++position) {
            heights[position - first] = heightAt(position);
        }
    }

    /// Forms the products of a slab and calls look(point, first position, products, scores) for
    /// each point, with as many products as the slab has positions and scores of scale 1, padded to
    /// whole tiles above every real score.
    ///
    /// points  one row of factors each
    template <typename Look>
    void visit(const Matrix& points, const Look& look) const {
        AlignedMatrixOf<T> products(points.rows(), kPointSlab);
        for (Eigen::Index first = m_first; first < m_end; first += kPointSlab) {
            const std::int64_t width = std::min<std::int64_t>(kPointSlab, m_end - first);
            const std::int64_t padded = tileCount(width) * kTileWidth;
            numeric::multiplyTransposed(points.data(), points.rows(), m_table.row(first).data(),
                                        width, points.cols(), T{1}, products.row(0),
                                        products.stride());
            for (Eigen::Index i = 0; i < points.rows(); ++i) {
                T* const own = products.row(i);
                std::fill(own + width, own + padded, kPaddingP<T>);
                look(static_cast<std::size_t>(i), first,
                     std::span(own, static_cast<std::size_t>(width)),
                     PointScores<T>{T{1}, m_heights.row(0) + (first - m_first), own, padded});
            }
        }
    }

private:
    const Matrix& m_table;
    Eigen::Index m_first;
    Eigen::Index m_end;
    AlignedMatrixOf<T> m_heights;  ///< one row, padded to whole slabs
};

}  // namespace epsilens::engine
