#pragma once

#include <vector>

#include "core/calibration/measurement.h"
#include "core/calibration/word_steps.h"

namespace epsilens::calibration {

/// Shares of the outputs of weighted words as step functions of t = 1/epsilon.
class ShareSteps {
public:
    /// weights  one per word
    ShareSteps(std::span<const WordSteps> words, std::span<const double> weights, int draws);

    [[nodiscard]] OutputShares at(double epsilon) const;
    /// Whether the shares change between two epsilons.
    [[nodiscard]] bool moveWithin(EpsilonSpan span) const;

private:
    [[nodiscard]] std::size_t placeOf(double t) const;

    std::vector<double> m_t{};     ///< rising; from each on the sums after it hold
    std::vector<double> m_kept{};  ///< weighted counts, one more than m_t
    std::vector<double> m_near{};
    double m_all = 0.0;
};

/// A noise mechanism whose draws have paths.
class StepMeasurement final : public Measurement {
public:
    /// steps  of the words of the basis, in their order
    StepMeasurement(MeasurementBasis basis, std::vector<WordSteps> steps);

    [[nodiscard]] EpsilonKnowledge knowledge() const override { return EpsilonKnowledge::steps; }
    [[nodiscard]] OutputShares sharesAt(double epsilon) const override {
        return m_shares.at(epsilon);
    }
    [[nodiscard]] bool sharesMove() const override { return m_shares.moveWithin(shown()); }
    [[nodiscard]] MeasuredWord wordAt(std::size_t word, double epsilon) const override;
    [[nodiscard]] std::vector<MeasuredOutput> outputsAt(std::size_t word, double epsilon,
                                                        std::size_t most) const override;
    [[nodiscard]] std::vector<Cell> cellsAt(std::span<const double> epsilons) const override {
        return cells(epsilons, false);
    }
    [[nodiscard]] Result<EpsilonFound> findLargest(const std::vector<Limit>& limits,
                                                   const std::optional<EpsilonSpan>& bounds,
                                                   const JobContext& job) const override;

private:
    [[nodiscard]] std::vector<Cell> cells(std::span<const double> epsilons, bool withKw) const;
    [[nodiscard]] Summary kwAt(double epsilon) const;
    [[nodiscard]] StepTally tallyAt(std::size_t word, double epsilon) const;
    [[nodiscard]] std::vector<WordStatistics> statisticsAt(std::span<const double> falling) const;

    std::vector<WordSteps> m_steps;
    CountLogs m_logs;
    ShareSteps m_shares;
};

}  // namespace epsilens::calibration
