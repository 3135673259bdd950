#pragma once

#include <vector>

#include "core/calibration/measurement.h"

namespace epsilens::calibration {

/// A mechanism whose outputs are known where it was calibrated only.
class PointMeasurement final : public Measurement {
public:
    /// run    of the words of the basis, with one setting, at least two epsilons, rising
    /// range  of its critical epsilons
    PointMeasurement(MeasurementBasis basis, const CalibrationSummary& run,
                     const engine::EpsilonRange& range);

    [[nodiscard]] EpsilonKnowledge knowledge() const override { return EpsilonKnowledge::points; }
    [[nodiscard]] OutputShares sharesAt(double epsilon) const override;
    [[nodiscard]] bool sharesMove() const override;
    [[nodiscard]] MeasuredWord wordAt(std::size_t word, double epsilon) const override;
    [[nodiscard]] std::vector<MeasuredOutput> outputsAt(std::size_t word, double epsilon,
                                                        std::size_t most) const override;
    [[nodiscard]] std::vector<Cell> cellsAt(std::span<const double> epsilons) const override;
    [[nodiscard]] Result<EpsilonFound> findLargest(const std::vector<Limit>& limits,
                                                   const std::optional<EpsilonSpan>& bounds,
                                                   const JobContext& job) const override;

private:
    /// Where an epsilon lies among the points.
    struct Place {
        std::size_t below = 0;
        std::size_t above = 0;
        double share = 0.0;  ///< of the way from below to above
    };

    [[nodiscard]] Place placeOf(double epsilon) const;
    [[nodiscard]] double halfKeptOf(std::size_t word) const;

    std::vector<Cell> m_cells;           ///< rising epsilon
    WordTable m_table;                   ///< words x points
    std::vector<OutputShares> m_shares;  ///< one per point
};

/// Epsilons at which such a mechanism is calibrated: even steps of ln(epsilon - origin).
inline constexpr int kMeasuredPoints = 161;

/// Calibrates at kMeasuredPoints epsilons, from a 30th of the low end of the axis to 30 times its
/// high end if the options do not say where. Fails as estimateRange and calibrateShared.
///
/// crew  processes that share the calibration; null: this one alone
[[nodiscard]] Result<MeasurementHandle> measurePoints(const engine::SearchSpace& space,
                                                      MeasurementBasis basis, Crew* crew,
                                                      const JobContext& job);

}  // namespace epsilens::calibration
