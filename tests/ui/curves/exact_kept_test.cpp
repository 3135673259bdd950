#include "core/calibration/exact_kept.h"

#include <array>
#include <limits>
#include <memory>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::calibration::ExactKept;

class ExactKeptTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Three words of four draws; counts of values <= epsilon taken by hand.
    void countsCriticalValuesUpToEpsilon() {
        constexpr double kNever = std::numeric_limits<double>::infinity();
        const ExactKept kept(
            std::make_shared<const calibration::CriticalTable>(calibration::CriticalTable{
                0.5, {1, 2, 3, 4, /**/ 0, 0, 10, 10, /**/ kNever, kNever, kNever, kNever}}),
            4);
        QCOMPARE(kept.words(), std::size_t{3});
        const auto points = kept.at(std::array{0.5, 1.0, 2.5, 10.0});
        // 0.5: 0, 2, 0 · 1: 1, 2, 0 · 2.5: 2, 2, 0 · 10: 4, 4, 0
        QCOMPARE(points[0].over.mean, 2.0 / 3.0);
        QCOMPARE(points[1].over.mean, 1.0);
        QCOMPARE(points[2].over.mean, 4.0 / 3.0);
        QCOMPARE(points[3].over.mean, 8.0 / 3.0);
        QCOMPARE(points[1].over.p50, 1.0);
        QCOMPARE(points[2].over.max, 2.0);
        QCOMPARE(points[3].over.min, 0.0);
        QCOMPARE(points[2].epsilon, 2.5);
    }

    /// So many draws that the epsilons are taken one by one.
    void countsManyDraws() {
        constexpr int kDraws = 3'000'000;
        calibration::CriticalTable table{0.5, {}};
        for (int draw = 0; draw < kDraws; ++draw) {
            table.values.push_back(draw);
        }
        const ExactKept kept(std::make_shared<const calibration::CriticalTable>(std::move(table)),
                             kDraws);
        const auto points = kept.at(std::array{0.5, 999'999.0, 3e6});
        QCOMPARE(points.size(), std::size_t{3});
        QCOMPARE(points[0].over.mean, 1.0);
        QCOMPARE(points[1].over.mean, 1e6);
        QCOMPARE(points[2].over.mean, 3e6);
    }

    /// The core's summary of the same values is an implementation of its own.
    void summaryOfCountsAgreesWithTheSummaryOfTheValues() {
        const std::vector<float> values{0, 0, 1, 3, 3, 3, 7, 9, 9, 12, 12};
        std::array<std::int64_t, 13> histogram{};
        for (const float value : values) {
            ++histogram[static_cast<std::size_t>(value)];
        }
        const statistics::Summary expected = statistics::summarize(values);
        const statistics::Summary summary = calibration::summaryOfCounts(histogram);
        for (const auto field :
             {&statistics::Summary::mean, &statistics::Summary::min, &statistics::Summary::p1,
              &statistics::Summary::p5, &statistics::Summary::p25, &statistics::Summary::p50,
              &statistics::Summary::p75, &statistics::Summary::p95, &statistics::Summary::p99,
              &statistics::Summary::max}) {
            QVERIFY(std::abs(summary.*field - expected.*field) < 1e-9);
        }
        QVERIFY(std::abs(summary.sd - expected.sd) < 1e-6);
    }
};

EPSILENS_UI_TEST(ExactKeptTest)
#include "exact_kept_test.moc"
