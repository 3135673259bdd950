#pragma once

#include <cstdint>
#include <span>

#include "core/base/eigen.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Finds the words nearest to many noisy points phi(w) + z / epsilon, each with noise of its own:
/// one float32 product of all points with all vectors, and a float64 decision among those that its
/// rounding bound cannot tell apart. Ties go to the lowest row. Nothing is shared between points,
/// as text for release needs it; where many words share their draws NearestSearch is faster.
///
/// The noise counts with all its digits: float32 serves to leave candidates out, never to decide.
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
    [[nodiscard]] Row decide(std::span<const std::int32_t> candidates, const float* word,
                             const double* noise) const;

    const SearchSpace& m_space;
    ScoreWeights m_weights;
    AlignedMatrix m_squaredNorms;  ///< one row, padded to whole slabs
};

/// Positions whose products are formed at once: those of a block of points stay in the cache.
inline constexpr std::int64_t kPointSlab = 1024;
/// Points to search for at once: enough for a product to reach its full rate.
inline constexpr std::int64_t kPointBlock = 384;

}  // namespace epsilens::engine
