#pragma once

#include <cstdint>
#include <optional>

#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_rows.h"
#include "core/engine/power_kernel.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::statistics {

/// Sums over all words u of the weights exp(-x_u), x_u = epsilon min(d(w, u), gamma) / 2, of one
/// word w.
struct RowSums {
    double weights = 0.0;
    double exponents = 0.0;  ///< sum of x exp(-x)
    double distances = 0.0;  ///< sum of d exp(-x)
    double cosines = 0.0;    ///< sum of cos exp(-x)
    double capped = 0.0;     ///< sum of exp(-x) at the radius or beyond it
    double distinct = 0.0;   ///< expected distinct words among R, sum of 1 - (1 - p_u)^R
};

/// Arguments of the kernels: exponents beyond their largest make no difference.
struct KernelLaw {
    float rate;
    float cap;

    explicit KernelLaw(const mechanism::TruncatedExponential& mechanism);
};

/// Sums over the words of a row by the full formula. Needs only the row.
///
/// row      with cosines
/// draws    R >= 1
/// weights  scratch: one row of the length of the row
[[nodiscard]] RowSums wholeRowSums(const engine::MetricRow& row, std::int64_t words,
                                   const mechanism::TruncatedExponential& mechanism, int draws,
                                   engine::AlignedMatrix& weights);

/// A row whose nearest words stand apart, so that all others have small probabilities: the near
/// ones are summed by the full formula, the far ones by the powers of their weights.
/// Derivation: exact_statistics.md
class SplitRow {
public:
    /// words   V
    /// stride  length of a row of distances, a multiple of engine::kPowerStep
    /// draws   R >= 1
    SplitRow(std::int64_t words, std::int64_t stride, int draws);

    /// Takes a row, which must stay as it is while sums are asked for.
    void set(const engine::MetricRow& row);

    /// Nothing where the row has no cosines, too few far words beside the near ones, or where some
    /// far word is so probable that four powers would leave out too much.
    [[nodiscard]] std::optional<RowSums> sums(const mechanism::TruncatedExponential& mechanism);

private:
    void splitOff(const engine::MetricRow& row);
    [[nodiscard]] engine::PowerSums farSums(float rate, float cap);

    std::int64_t m_words;
    int m_draws;
    bool m_isSplit = false;
    std::int64_t m_nearCount = 0;
    engine::AlignedMatrix m_near;  ///< distances, cosines and weights of near words
    engine::AlignedMatrix m_far;   ///< distances; near words and padding stand at the largest one
    const float* m_farCosines = nullptr;  ///< of the row as it is
    float m_leastFar = 0.0F;              ///< no far word is nearer
    float m_largest = 0.0F;
    std::int64_t m_replaced = 0;  ///< entries that stand at the largest distance
    double m_replacedCosines = 0.0;
    engine::RowTotals m_totals{};
};

}  // namespace epsilens::statistics
