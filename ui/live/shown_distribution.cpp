#include "ui/live/shown_distribution.h"

#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "ui/state/word.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

ShownDistribution::ShownDistribution(embedding::EmbeddingHandle ofWhich,
                                     const statistics::OutputDistribution& sampled)
    : embedding(std::move(ofWhich)),
      draws(sampled.draws),
      kept(sampled.kept),
      near(sampled.near),
      far(sampled.far),
      distinct(sampled.distinct()),
      outputCount(sampled.distinct()) {
    outputs.reserve(sampled.outputs.size());
    for (const auto& output : sampled.outputs) {
        outputs.push_back({output.row, static_cast<double>(output.count), output.outputClass});
    }
}

QString ShownDistribution::spelling(const Output& output) const {
    return Word(embedding, output.row).text();
}

QString countText(const ShownDistribution& distribution, double count) {
    if (!distribution.exact) {
        return counted(std::llround(count));
    }
    if (count > 0.0 && count < kLeastShown) {
        return QCoreApplication::translate("ShownDistribution", "under 0.1");
    }
    constexpr double kThreeDigits = 99.95;
    return count >= kThreeDigits ? counted(std::llround(count)) : QString::number(count, 'f', 1);
}

}  // namespace epsilens::ui::live
