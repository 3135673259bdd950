#pragma once

#include <vector>

#include "core/calibration/distance_profile.h"
#include "core/calibration/measurement.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// TEM or an exponential mechanism, whose law is known at every epsilon.
class SelectionMeasurement final : public Measurement {
public:
    /// profiles    of the words of the basis, in their order
    /// vocabulary  V
    SelectionMeasurement(MeasurementBasis basis, std::vector<DistanceProfile> profiles,
                         std::vector<double> halfKept, mechanism::Truncation truncation,
                         std::int64_t vocabulary);

    [[nodiscard]] EpsilonKnowledge knowledge() const override {
        return EpsilonKnowledge::closedForm;
    }
    [[nodiscard]] OutputShares sharesAt(double epsilon) const override;
    [[nodiscard]] std::vector<OutputShares> sharesAlong(std::span<const double> epsilons,
                                                        const std::stop_token& stop) const override;
    [[nodiscard]] bool sharesMove() const override;
    [[nodiscard]] MeasuredWord wordAt(std::size_t word, double epsilon) const override;
    /// Of the word and its K nearest words, which are the most frequent ones.
    [[nodiscard]] std::vector<MeasuredOutput> outputsAt(std::size_t word, double epsilon,
                                                        std::size_t most) const override;
    [[nodiscard]] std::vector<Cell> cellsAt(std::span<const double> epsilons) const override;
    [[nodiscard]] Result<EpsilonFound> findLargest(const std::vector<Limit>& limits,
                                                   const std::optional<EpsilonSpan>& bounds,
                                                   const JobContext& job) const override;

private:
    [[nodiscard]] mechanism::TruncatedExponential mechanismAt(double epsilon) const;
    /// Weighted sums over the words from `first` up to `end`, which is not one of them.
    [[nodiscard]] OutputShares sharesOf(std::size_t first, std::size_t end,
                                        const mechanism::TruncatedExponential& mechanism,
                                        DistanceProfile::Scratch& scratch) const;
    [[nodiscard]] OutputShares ofAllWords(std::span<const OutputShares> sums) const;

    std::vector<DistanceProfile> m_profiles;
    mechanism::Truncation m_truncation;
    std::int64_t m_vocabulary;
};

/// Fails as metric::WordMetric::create, with cancelled, and with resourceLimit when the distances
/// take more than 4 GiB.
///
/// crew  processes that share the words; null: this one alone
[[nodiscard]] Result<MeasurementHandle> measureSelection(const engine::SearchSpace& space,
                                                         MeasurementBasis basis, Crew* crew,
                                                         const JobContext& job);

}  // namespace epsilens::calibration
