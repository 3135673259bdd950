#pragma once

#include <cstdint>
#include <span>

#include "core/base/job_context.h"
#include "core/engine/path_search.h"
#include "core/engine/poincare_space.h"
#include "core/engine/score_kernel.h"
#include "core/mechanism/hyperbolic_noise.h"

namespace epsilens::engine {

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
