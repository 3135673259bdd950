#pragma once

#include <vector>

#include <QString>

#include "ui/live/shown_distribution.h"
#include "ui/state/output_mark.h"

namespace epsilens::ui::live {

/// Outputs that get a bar of their own; the rest share one.
constexpr int kMostBars = 15;

struct DistributionBar {
    QString label{};     ///< word, or "12 others"
    double count = 0.0;  ///< of the draws
    double percent = 0.0;
    OutputMark mark = OutputMark::others;
    std::int64_t outputs = 1;  ///< different words the bar stands for
};

/// Bars of an output distribution, most frequent first, the others last.
/// most  outputs with a bar of their own, >= 1
[[nodiscard]] std::vector<DistributionBar> distributionBars(const ShownDistribution& distribution,
                                                            int most = kMostBars);

}  // namespace epsilens::ui::live
