#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/engine/aligned_matrix.h"
#include "core/engine/score_kernel.h"

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

/// The positions whose score is at most `threshold`, in ascending order.
///
/// found  room for count entries
/// Returns their number.
template <typename T>
[[nodiscard]] std::int64_t collectScores(const PointScores<T>& scores, T threshold,
                                         std::int32_t* found);

/// Positions that may be nearest to one point, collected slab by slab.
template <typename T>
class PointCandidates {
public:
    /// Collects candidates from a slab of positions that begins at `first`. The scores must be
    /// upper bounds of the true scores with upper.scale and lower bounds with lowerScale, each up
    /// to half of the slack.
    ///
    /// scratch  room for as many indices as there are scores
    void look(const PointScores<T>& upper, T lowerScale, T slack, std::int64_t first,
              std::vector<std::int32_t>& scratch) {
        const T least = leastScore(upper);
        m_least = std::min(m_least, least);
        if (lowerScale == upper.scale && least > threshold(slack)) {
            return;
        }
        PointScores<T> lower = upper;
        lower.scale = lowerScale;
        collect(lower, slack, first, scratch);
    }

    /// Collects candidates from positions of which only lower bounds of the true scores are known,
    /// once others have been looked at.
    void collect(const PointScores<T>& lower, T slack, std::int64_t first,
                 std::vector<std::int32_t>& scratch) {
        const std::int64_t count = collectScores(lower, threshold(slack), scratch.data());
        for (std::int64_t i = 0; i < count; ++i) {
            m_positions.push_back(
                static_cast<std::int32_t>(first + scratch[static_cast<std::size_t>(i)]));
        }
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

/// Pads a slab to whole tiles with scores above every real score.
///
/// products  one row per point; the first `width` entries are positions
template <typename T>
void padProducts(AlignedMatrixOf<T>& products, std::int64_t width) {
    for (std::int64_t i = 0; i < products.rows(); ++i) {
        std::fill(products.row(i) + width, products.row(i) + tileCount(width) * kTileWidth,
                  kPaddingP<T>);
    }
}

}  // namespace epsilens::engine
