#pragma once

#include <cstdint>
#include <span>

#include "core/base/eigen.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Finds the words nearest to many noisy points phi(w) + z / epsilon, each with its own noise: one
/// float32 product of all points with all vectors, then a float64 decision among those that its
/// rounding bound cannot separate. Ties go to the lowest row. Points share no data, as a release
/// requires; if many words share their draws, SortedSearch is faster.
///
/// All digits of the noise count: float32 only excludes candidates and never decides.
/// Immutable; several tasks may search at once. Derivation: rounding_bounds.md
class PointSearch {
public:
    /// The space must outlive this object.
    ///
    /// epsilon  finite, > 0
    PointSearch(const SearchSpace& space, double epsilon);

    [[nodiscard]] const SearchSpace& space() const { return m_space; }

    /// outputs[i] is the row nearest to words[i] under row i of the noise at epsilon = 1.
    ///
    /// noise  one row of m finite numbers per word
    void nearest(std::span<const Row> words, const RowMatrixD& noise, std::span<Row> outputs) const;

private:
    /// Neighbouring positions, searched by slabs.
    struct Part {
        Eigen::Index first = 0;
        Eigen::Index end = 0;
        AlignedMatrix squaredNorms{};  ///< one row, padded to whole slabs
    };

    [[nodiscard]] Part part(Eigen::Index first, Eigen::Index end) const;
    template <typename Look>
    void forEachSlab(const Part& part, const RowMatrixF& points, AlignedMatrix& products,
                     const Look& look) const;
    [[nodiscard]] Row decide(std::span<const std::int32_t> candidates, const float* word,
                             const double* noise) const;

    const SearchSpace& m_space;
    ScoreWeights m_weights;
    Part m_regular;
    Part m_outlying;
};

/// Number of positions per product, so that the products of a block of points stay in the cache.
inline constexpr std::int64_t kPointSlab = 1024;
/// Number of points per search, large enough for the product to reach its full speed.
inline constexpr std::int64_t kPointBlock = 384;

}  // namespace epsilens::engine
