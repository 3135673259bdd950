#include "ui/live/distribution_bars.h"

#include <QCoreApplication>

#include "ui/common/qt_convert.h"

namespace epsilens::ui::live {

std::vector<DistributionBar> distributionBars(const statistics::OutputDistribution& distribution,
                                              const embedding::Vocabulary& vocabulary, int most) {
    std::vector<DistributionBar> bars;
    DistributionBar others;
    others.outputs = 0;
    // A bar for "1 others" would take the place of the word it stands for.
    const bool needsOthers = distribution.distinct() > most + 1;
    for (const auto& output : distribution.outputs) {
        if (needsOthers && static_cast<int>(bars.size()) == most) {
            others.count += output.count;
            ++others.outputs;
            continue;
        }
        bars.push_back({toQString(vocabulary.word(output.row)), output.count,
                        100.0 * output.count / distribution.draws, markOf(output.outputClass), 1});
    }
    if (others.outputs > 0) {
        others.label = QCoreApplication::translate("DistributionBars", "%1 others")
                           .arg(counted(others.outputs));
        others.percent = 100.0 * others.count / distribution.draws;
        bars.push_back(others);
    }
    return bars;
}

}  // namespace epsilens::ui::live
