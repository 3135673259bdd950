#pragma once

#include <cstdint>
#include <span>

#include "core/base/eigen.h"
#include "core/base/job_context.h"
#include "core/engine/neighbours.h"
#include "core/engine/path_search.h"
#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"
#include "core/engine/tiled_rows.h"
#include "core/mechanism/hyperbolic_noise.h"

namespace epsilens::engine {

/// A search space inside the Poincaré ball: float64 tables by position, computed from the stored
/// float32 vectors. All norms must be below 1. Immutable.
class PoincareSpace {
public:
    /// The space must outlive this object.
    explicit PoincareSpace(const SearchSpace& space);

    [[nodiscard]] const SearchSpace& space() const { return m_space; }
    [[nodiscard]] Eigen::Index dimensions() const { return m_spatial.cols(); }
    /// Stored vector u of a position.
    [[nodiscard]] const float* vectorAt(Eigen::Index position) const {
        return m_space.vectors().row(position).data();
    }
    /// 1 - ||u||^2.
    [[nodiscard]] double gapAt(Eigen::Index position) const { return m_gaps[position]; }
    /// Spatial part of the Lorentz coordinates, 2 u / (1 - ||u||^2), positions() x m.
    [[nodiscard]] const RowMatrixD& spatial() const { return m_spatial; }
    /// 2 / (1 - ||u||^2), which is 1 plus the Lorentz coordinate u_0, as a row, and its bounds.
    [[nodiscard]] const double* heights() const { return m_heights.row(0); }
    [[nodiscard]] const double* leastHeights() const { return m_heightBounds.row(0); }
    [[nodiscard]] const double* largestHeights() const { return m_heightBounds.row(1); }
    [[nodiscard]] double largestHeight() const { return m_largestHeight; }

    /// cosh d_H - 1 between two positions, by the ratio form.
    [[nodiscard]] double excess(Eigen::Index a, Eigen::Index b) const;

private:
    const SearchSpace& m_space;
    VectorD m_gaps;
    RowMatrixD m_spatial;
    AlignedMatrixOf<double> m_heights;
    AlignedMatrixOf<double> m_heightBounds;
    double m_largestHeight = 0.0;
};

/// The words nearest to one word in Poincaré distance. count  K >= 1; at most V - 1 are returned
[[nodiscard]] Neighbourhood poincareNeighbours(const PoincareSpace& space, Row word, int count);

/// The part of the scores that depends on word and position: cosh d_H - 1 by the ratio form. The
/// memory of the result is reused if its shape fits. Rows of a cancelled call are undefined.
void wordScores(const PoincareSpace& space, std::span<const Row> words, int threads,
                const JobContext& job, TiledRows& result);

/// Directions at the origin, and their products with the spatial part of every position.
struct DirectionBatch {
    RowMatrixD directions{};  ///< draws x m, of norm 1
    TiledRows projections{};
};

/// directions  draws x m, of norm 1
/// The memory of the batch is reused if its shape fits.
void projectDirections(const PoincareSpace& space, RowMatrixD directions, int threads,
                       const JobContext& job, DirectionBatch& batch);

/// Finds the word nearest to a noisy point in Poincaré distance: a float64 pass over the linear
/// scores of all positions, then the textbook formula for those that their rounding bound cannot
/// separate. Ties go to the lowest row. Holds scratch memory: one object per task.
///
/// As a LineSearch it runs over rho = 1/rate = (e^{2r} - 1)/2, in which the scores
/// are lines whatever the radius r. Derivation: hyperbolic_noise.md, rounding_bounds.md
class PoincareSearch final : public LineSearch {
public:
    explicit PoincareSearch(const PoincareSpace& space);

    /// Selects the word: row `index` of wordScores.
    void setWord(Row word, const TiledRows& scores, std::int64_t index);
    /// Selects the draw: row `index` of the batch.
    void setDraw(const DirectionBatch& batch, std::int64_t index);
    /// Position nearest to the noisy point at a radius. The last one found is a good guess.
    ///
    /// radius  >= 0, may be infinite
    [[nodiscard]] std::int32_t nearest(double radius);

    void nearestAtRates(std::span<const double> rates, std::span<std::int32_t> positions) override;
    [[nodiscard]] std::size_t ratesAtOnce() const override { return 1; }
    [[nodiscard]] ScoreLine lineOf(std::int32_t position) const override;

    /// Weights of the scores at a radius for the selected word and draw.
    [[nodiscard]] ScoreWeights weightsAt(double radius) const;
    /// Largest error of the score of a position that can win.
    [[nodiscard]] double scoreError() const { return m_error; }

private:
    void combine();
    [[nodiscard]] std::int32_t decideByDistance(double radius);

    const PoincareSpace& m_ball;
    ScoreRows m_rows{};
    double m_error;
    const float* m_vector = nullptr;
    const double* m_direction = nullptr;
    std::int32_t m_lastFound = 0;
    double m_wordGap = 1.0;
    double m_opening = 0.0;  ///< 1 + w.xi
    Candidates m_candidates{};
};

/// rate = 2 / (e^{2r} - 1) of a radius, and back.
[[nodiscard]] double rateOfRadius(double radius);
[[nodiscard]] double radiusOfRate(double rate);

}  // namespace epsilens::engine
