#include "ui/live/distribution_bars.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

std::vector<DistributionBar> distributionBars(const ShownDistribution& distribution, int most) {
    std::vector<DistributionBar> bars;
    DistributionBar others;
    others.count = distribution.draws;
    // A bar for "1 others" would take the place of the word it stands for.
    const bool needsOthers = distribution.outputCount > most + 1;
    for (const auto& output : distribution.outputs) {
        if (needsOthers && static_cast<int>(bars.size()) == most) {
            break;
        }
        bars.push_back({distribution.spelling(output), output.count,
                        100.0 * output.count / distribution.draws, markOf(output.outputClass), 1});
        others.count -= output.count;
    }
    others.outputs = distribution.outputCount - static_cast<std::int64_t>(bars.size());
    if (others.outputs > 0) {
        others.count = std::max(0.0, others.count);
        others.label = QCoreApplication::translate("DistributionBars", "%1 others")
                           .arg(counted(others.outputs));
        others.percent = 100.0 * others.count / distribution.draws;
        bars.push_back(others);
    }
    return bars;
}

}  // namespace epsilens::ui::live
