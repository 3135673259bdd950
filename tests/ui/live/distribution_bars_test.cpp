#include "ui/live/distribution_bars.h"

#include <memory>
#include <string>
#include <utility>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui::live;

namespace {

embedding::EmbeddingHandle wordsOf(std::size_t count) {
    embedding::PreparedEmbedding words;
    for (std::size_t row = 0; row < count; ++row) {
        (void)words.embedding.vocabulary.add("w" + std::to_string(row));
    }
    words.embedding.vectors.setZero(static_cast<Eigen::Index>(count), 1);
    return std::make_shared<const embedding::PreparedEmbedding>(std::move(words));
}

/// Outputs 0, 1, 2... returned that often; 0 is the word itself, 1 and 2 are near.
ShownDistribution distributionOf(const std::vector<int>& counts) {
    statistics::OutputDistribution distribution;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto outputClass = i == 0  ? statistics::OutputClass::kept
                                 : i < 3 ? statistics::OutputClass::near
                                         : statistics::OutputClass::far;
        distribution.outputs.push_back({static_cast<embedding::Row>(i), counts[i], outputClass});
        distribution.draws += counts[i];
    }
    return {wordsOf(counts.size()), distribution};
}

}  // namespace

class DistributionBarsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fewOutputsHaveABarEach() {
        const auto bars = distributionBars(distributionOf({6, 2, 1, 1}));
        QCOMPARE(bars.size(), std::size_t{4});
        QCOMPARE(bars[0].label, QStringLiteral("w0"));
        QCOMPARE(bars[0].percent, 60.0);
        QCOMPARE(bars[0].mark, OutputMark::kept);
        QCOMPARE(bars[2].mark, OutputMark::near);
        QCOMPARE(bars[3].mark, OutputMark::far);
        QCOMPARE(bars[3].percent, 10.0);
    }

    void theRestSharesOneBar() {
        // 20 outputs of 5 draws each: 15 bars, and one of 5 outputs with 25 draws of 100.
        const auto bars = distributionBars(distributionOf(std::vector<int>(20, 5)));
        QCOMPARE(bars.size(), std::size_t{16});
        QCOMPARE(bars.back().label, QStringLiteral("5 others"));
        QCOMPARE(bars.back().mark, OutputMark::others);
        QCOMPARE(bars.back().count, 25);
        QCOMPARE(bars.back().percent, 25.0);
        QCOMPARE(bars.back().outputs, 5);
    }

    void oneOutputTooManyIsShownItself() {
        const auto bars = distributionBars(distributionOf(std::vector<int>(16, 1)));
        QCOMPARE(bars.size(), std::size_t{16});
        QCOMPARE(bars.back().label, QStringLiteral("w15"));
        QCOMPARE(bars.back().mark, OutputMark::far);
    }
};

EPSILENS_UI_TEST(DistributionBarsTest)
#include "distribution_bars_test.moc"
