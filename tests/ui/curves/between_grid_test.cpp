#include "core/calibration/between_grid.h"

#include <algorithm>
#include <cmath>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_text.h"

using namespace epsilens;

namespace {

calibration::CalibrationOptions smallGrid() {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {16.0, 1.0, 4.0};
    options.grid.lambdas = {0.0, 0.5};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = 50;
    options.criticalEpsilons = true;
    return options;
}

}  // namespace

class BetweenGridTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pointsLieBetweenAtEqualRatios() {
        const auto between = calibration::epsilonsBetween({16.0, 1.0, 4.0}, 0.0);
        QCOMPARE(between.size(), std::size_t{30});
        QVERIFY(std::is_sorted(between.begin(), between.end()));
        for (const double epsilon : {1.0, 4.0, 16.0}) {
            QVERIFY(std::find(between.begin(), between.end(), epsilon) == between.end());
        }
        const double ratio = std::pow(4.0, 1.0 / 16.0);
        QVERIFY(std::abs(between[0] - ratio) < 1e-12);
        QVERIFY(std::abs(between[29] - 16.0 / ratio) < 1e-12);
        QVERIFY(calibration::epsilonsBetween({3.0}, 0.0).empty());
    }

    void pointsStayAboveWhereTheNoiseBegins() {
        const auto between = calibration::epsilonsBetween({10.0, 14.0}, 9.0);
        QCOMPARE(between.size(), std::size_t{31});
        QVERIFY(between.front() > 10.0 && between.back() < 14.0);
        const double ratio = (between[1] - 9.0) / (between[0] - 9.0);
        QVERIFY(std::abs((between[20] - 9.0) / (between[19] - 9.0) - ratio) < 1e-12);
    }

    /// The same words and draws: a run asked for these epsilons in the first place must agree.
    void linesAreThoseOfARunAtThesePoints() {
        const engine::SearchSpace space(test::toyEmbedding());
        const auto run = calibration::runCurves(space, smallGrid()).value();
        QVERIFY(calibration::deservesPointsBetween(*run));
        const auto denser = calibration::measureBetween(space, run).value();
        calibration::CalibrationOptions whole = smallGrid();
        const auto between = calibration::epsilonsBetween(whole.grid.epsilons, 0.0);
        whole.grid.epsilons.insert(whole.grid.epsilons.end(), between.begin(), between.end());
        const auto expected = calibration::runCurves(space, whole).value();
        for (std::size_t curve = 0; curve < 2; ++curve) {
            const auto& line = denser->sw[curve].line;
            const auto& points = expected->sw[curve].markers;
            QCOMPARE(line.size(), points.size());
            for (std::size_t i = 0; i < line.size(); ++i) {
                QCOMPARE(line[i].epsilon, points[i].epsilon);
                QCOMPARE(line[i].over.mean, points[i].over.mean);
                QCOMPARE(line[i].over.p95, points[i].over.p95);
            }
            QCOMPARE(denser->sw[curve].markers.size(), std::size_t{3});
            QCOMPARE(denser->nw[curve].line.size(), run->nw[curve].line.size());
        }
        QCOMPARE(denser->summary().grid.epsilons, run->summary().grid.epsilons);
        QVERIFY(ui::originText(*denser, ui::Statistic::sw)
                    .contains(QStringLiteral("3 ε of the grid and 30 between")));
    }

    void aStopLeavesNoHalfMeasuredLine() {
        const engine::SearchSpace space(test::toyEmbedding());
        const auto run = calibration::runCurves(space, smallGrid()).value();
        std::stop_source stop;
        stop.request_stop();
        const auto denser =
            calibration::measureBetween(space, run, JobContext{stop.get_token(), {}});
        QVERIFY(!denser && denser.error().code == ErrorCode::cancelled);
    }
};

EPSILENS_UI_TEST(BetweenGridTest)
#include "between_grid_test.moc"
