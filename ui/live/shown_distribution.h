#pragma once

#include <cstdint>
#include <vector>

#include <QString>

#include "core/embedding/prepared_embedding.h"
#include "core/statistics/output_distribution.h"

namespace epsilens::ui::live {

/// The outputs of one word at one epsilon as shown: counts of R draws, or what R draws give on
/// average where the probabilities are known exactly.
struct ShownDistribution {
    struct Output {
        embedding::Row row = 0;
        double count = 0.0;  ///< of the draws
        statistics::OutputClass outputClass = statistics::OutputClass::far;
    };

    ShownDistribution() = default;
    /// A sampled one.
    ShownDistribution(embedding::EmbeddingHandle ofWhich,
                      const statistics::OutputDistribution& sampled);

    [[nodiscard]] QString spelling(const Output& output) const;

    embedding::EmbeddingHandle embedding{};  ///< whose rows the outputs are
    bool exact = false;                      ///< from probabilities
    int draws = 0;                           ///< R
    double kept = 0.0;                       ///< N_w; kept, near and far add up to R
    double near = 0.0;
    double far = 0.0;
    double distinct = 0.0;  ///< S_w
    /// Most frequent first, ties by lower row; of an exact one only the first, see outputCount.
    std::vector<Output> outputs{};
    std::int64_t outputCount = 0;  ///< different outputs, those not in `outputs` included
};

/// Less than this would be shown as 0 by one decimal.
inline constexpr double kLeastShown = 0.05;

/// "41", "41.3", "under 0.1": a count of draws as it is read, whole where it was counted.
[[nodiscard]] QString countText(const ShownDistribution& distribution, double count);

}  // namespace epsilens::ui::live
