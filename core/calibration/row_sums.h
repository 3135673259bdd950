#pragma once

#include <cstdint>
#include <optional>

#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/metric_rows.h"
#include "core/engine/power_kernel.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

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

/// Arguments of engine::powerSums: the exponents are those of 2.
struct PowerLaw {
    float rate;
    float cap;

    explicit PowerLaw(const mechanism::TruncatedExponential& mechanism);
};

/// Words near one word, which stand apart from the others.
class NearWords {
public:
    static constexpr std::int64_t kMost = 1024;

    NearWords();

    void clear() { m_count = 0; }
    /// At most kMost words.
    void add(float distance, float cosine);
    /// Fills the weights of the words.
    [[nodiscard]] engine::WeightSums weigh(const KernelLaw& law);
    /// Expected distinct words among R, from the weights.
    [[nodiscard]] double distinct(double total, int draws) const;

private:
    enum NearRow : std::int64_t { kDistances, kCosines, kWeights, kNearRows };

    std::int64_t m_count = 0;
    engine::AlignedMatrix m_values;  ///< distances, cosines and weights
};

/// Sums over the words of a row by the full formula. Needs only the row.
///
/// row      with cosines
/// draws    R >= 1
/// weights  scratch: one row of the length of the row
[[nodiscard]] RowSums wholeRowSums(const engine::MetricRow& row, std::int64_t words,
                                   const mechanism::TruncatedExponential& mechanism, int draws,
                                   engine::AlignedMatrix& weights);

/// A row whose nearest words stand apart: these are summed by the full formula, the far ones, which
/// have small probabilities, by the powers of their weights. Derivation: exact_statistics.md
class SplitRow {
public:
    /// words   V
    /// stride  length of a row of distances, a multiple of engine::kPowerStep
    /// draws   R >= 1
    SplitRow(std::int64_t words, std::int64_t stride, int draws);

    /// Takes a row, which must stay as it is while sums are asked for.
    void set(const engine::MetricRow& row);

    /// Nothing where the row has no cosines or too few far words beside the near ones, or where
    /// some far word is so probable that four powers would leave out too much.
    [[nodiscard]] std::optional<RowSums> sums(const mechanism::TruncatedExponential& mechanism);

private:
    /// Entries of the far sums that are of no far word: all stand at one distance.
    struct StandIns {
        float distance = 0.0F;
        std::int64_t count = 0;
        double cosines = 0.0;  ///< their sum
    };

    void splitOff(const engine::MetricRow& row);
    [[nodiscard]] engine::PowerSums farSums(const PowerLaw& law) const;

    std::int64_t m_words;
    int m_draws;
    bool m_isSplit = false;
    NearWords m_near{};
    engine::AlignedMatrix m_far;  ///< distances; near words and padding stand at the largest one
    const float* m_farCosines = nullptr;  ///< of the row as it is
    float m_leastFar = 0.0F;
    StandIns m_standIns{};
    engine::RowTotals m_totals{};
};

}  // namespace epsilens::calibration
