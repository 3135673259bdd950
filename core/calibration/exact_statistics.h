#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_rows.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Arguments of the kernels: exponents beyond their largest make no difference.
struct KernelLaw {
    float rate;
    float cap;

    explicit KernelLaw(const mechanism::TruncatedExponential& mechanism);
};

struct RowSums;
class SplitRow;

/// Statistics of the output distribution p(.|w) of one word, computed without sampling. Entropies
/// are in bits.
struct ExactStatistics {
    double kept = 0.0;  ///< p(w|w)
    double nw = 0.0;    ///< N_w = R p(w|w), expected
    double sw = 0.0;    ///< S_w = sum_u 1 - (1 - p(u|w))^R, expected
    double near = 0.0;  ///< probability of the K nearest words
    double minEntropy = 0.0;
    double shannonEntropy = 0.0;
    double meanDistance = 0.0;   ///< E d(w, M(w)), in the mechanism's metric, not truncated
    double cosineSum = 0.0;      ///< E of the cosine where it exists, else 0
    double cosineShare = 0.0;    ///< probability that it exists
    double relativeError = 0.0;  ///< bound for N_w and S_w; see exact_statistics.md
};

/// Computes exact statistics word by word. Holds the scratch memory of one row.
class ExactStatisticsOfWords {
public:
    /// draws  R >= 1
    ExactStatisticsOfWords(const engine::MetricSpace& space, int draws);
    ExactStatisticsOfWords(ExactStatisticsOfWords&& other) noexcept;
    ~ExactStatisticsOfWords();

    /// row  with cosines and with the K neighbours that count as near
    [[nodiscard]] ExactStatistics compute(const engine::MetricRow& row,
                                          const mechanism::TruncatedExponential& mechanism);
    /// The same at several settings, which share what depends on the row alone.
    ///
    /// results  one per mechanism
    void compute(const engine::MetricRow& row,
                 std::span<const mechanism::TruncatedExponential> mechanisms,
                 std::span<ExactStatistics> results);
    /// The epsilon at which p(w|w) = 1/2; 0 if p(w|w) >= 1/2 at every epsilon, infinite if at none.
    /// p(w|w) at the result is within 5e-6 of 1/2. The relative error of the result is 2e-5, unless
    /// p(w|w) is almost constant there (beta just below 1/2).
    [[nodiscard]] double criticalEpsilon(const engine::MetricRow& row,
                                         const mechanism::Truncation& truncation);

private:
    // The weights of all words but the one in the row, and their derivative by epsilon.
    struct OtherWeights {
        double sum = 0.0;
        double slope = 0.0;
    };

    [[nodiscard]] OtherWeights otherWeights(const engine::MetricRow& row,
                                            const mechanism::Truncation& truncation,
                                            double epsilon);
    [[nodiscard]] ExactStatistics statisticsOf(const engine::MetricRow& row,
                                               const mechanism::TruncatedExponential& mechanism,
                                               const RowSums& sums);
    [[nodiscard]] double relativeError(const engine::MetricRow& row,
                                       const mechanism::TruncatedExponential& mechanism,
                                       double meanExponent) const;

    const engine::MetricSpace& m_space;
    int m_draws;
    std::vector<engine::Row> m_zeroVectors{};
    engine::AlignedMatrix m_weights;  ///< one row
    std::unique_ptr<SplitRow> m_split;
    std::int64_t m_neighbourCount = 0;
    engine::AlignedMatrix m_neighbours{};  ///< distances and weights of the neighbours
};

}  // namespace epsilens::calibration
