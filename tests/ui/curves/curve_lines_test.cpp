#include "core/calibration/curve_lines.h"

#include <algorithm>
#include <cmath>

#include "core/calibration/run_with.h"
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

class CurveLinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pointsLieBetweenAtEqualRatios() {
        const auto dense = calibration::alongAxis(smallGrid(), 0.0, 200).grid.epsilons;
        QCOMPARE(dense.size(), std::size_t{203});
        QCOMPARE(std::vector<double>(dense.begin(), dense.begin() + 3), smallGrid().grid.epsilons);
        const double ratio = std::pow(16.0, 1.0 / 201.0);
        QVERIFY(std::abs(dense[3] - ratio) < 1e-12);
        QVERIFY(std::abs(dense[202] - 16.0 / ratio) < 1e-12);
        calibration::CalibrationOptions one = smallGrid();
        one.grid.epsilons = {3.0};
        QCOMPARE(calibration::alongAxis(one, 0.0, 200).grid.epsilons, one.grid.epsilons);
    }

    void pointsStayAboveWhereTheNoiseBegins() {
        calibration::CalibrationOptions options = smallGrid();
        options.grid.epsilons = {10.0, 14.0};
        const auto dense = calibration::alongAxis(options, 9.0, 200).grid.epsilons;
        QVERIFY(dense[2] > 10.0 && dense.back() < 14.0);
        const double ratio = (dense[3] - 9.0) / (dense[2] - 9.0);
        QVERIFY(std::abs((dense[50] - 9.0) / (dense[49] - 9.0) - ratio) < 1e-12);
        // A file may hold a grid at which its mechanism does not exist.
        QCOMPARE(calibration::alongAxis(options, 10.0, 200).grid.epsilons, options.grid.epsilons);
    }

    /// The same words and draws: a run asked for these epsilons in the first place must agree, and
    /// so must lines that were measured later.
    void linesAreThoseOfARunAtThesePoints() {
        const engine::SearchSpace space(test::toyEmbedding());
        const auto run = calibration::runCurves(space, smallGrid()).value();
        QVERIFY(!calibration::deservesLines(*run));
        const calibration::RunCurves atGrid = calibration::arrange(run->run);
        QCOMPARE(atGrid.sw[0].line.size(), std::size_t{3});
        QVERIFY(calibration::deservesLines(atGrid));
        const auto after =
            calibration::measureLines(space, std::make_shared<const calibration::RunCurves>(atGrid))
                .value();
        const auto whole =
            calibration::calibrate(space, calibration::alongAxis(smallGrid(), 0.0, 200)).value();
        for (std::size_t curve = 0; curve < 2; ++curve) {
            for (const auto& lines : {run, after}) {
                QVERIFY(lines->sw[curve].exact);
                QCOMPARE(lines->sw[curve].line.size(), std::size_t{723});
                QCOMPARE(lines->sw[curve].markers.size(), std::size_t{3});
                for (const auto& point :
                     calibration::pointsOf(whole, curve, &calibration::Cell::sw)) {
                    const auto reading = calibration::readAt(*lines, point.epsilon)[curve];
                    QVERIFY(reading.swExact);
                    QVERIFY(std::abs(reading.sw->over.mean - point.over.mean) < 1e-5);
                    QCOMPARE(reading.sw->over.p95, point.over.p95);
                }
            }
        }
        QCOMPARE(run->summary().grid.epsilons, smallGrid().grid.epsilons);
        QVERIFY(ui::originText(*run, ui::Statistic::sw).contains(QStringLiteral("exact at every")));
    }

    /// Runs whose steps do not fit into memory.
    void linesAlongTheAxisSayHowManyPointsTheyHave() {
        const engine::SearchSpace space(test::toyEmbedding());
        const auto run = calibration::runCurves(space, smallGrid()).value();
        const auto whole =
            calibration::calibrate(space, calibration::alongAxis(smallGrid(), 0.0, 200)).value();
        calibration::RunCurves sampled = calibration::arrange(run->run);
        calibration::setLines(sampled, whole);
        QVERIFY(!sampled.sw[0].exact);
        QVERIFY(ui::originText(sampled, ui::Statistic::sw)
                    .contains(QStringLiteral("3 ε of the grid and 200 between")));
    }

    /// What a run along the axis keeps is what a run of the grid alone gives.
    void theSummaryIsThatOfTheGrid() {
        const engine::SearchSpace space(test::toyEmbedding());
        const auto run = calibration::runCurves(space, smallGrid()).value();
        const auto alone = calibration::calibrate(space, smallGrid()).value();
        const calibration::CalibrationSummary& kept = run->summary();
        QCOMPARE(kept.substitutions, alone.substitutions);
        QCOMPARE(kept.perWord.nw, alone.perWord.nw);
        QCOMPARE(kept.perWord.sw, alone.perWord.sw);
        QCOMPARE(kept.critical.size(), alone.critical.size());
        QCOMPARE(kept.critical[1].values, alone.critical[1].values);
        QCOMPARE(kept.cells.size(), alone.cells.size());
        for (std::size_t i = 0; i < alone.cells.size(); ++i) {
            QCOMPARE(kept.cells[i].epsilon, alone.cells[i].epsilon);
            QCOMPARE(kept.cells[i].sw.mean, alone.cells[i].sw.mean);
            QVERIFY(kept.cells[i].sw.ci95 == alone.cells[i].sw.ci95);
        }
    }

    void largeRunsHaveFewerPointsOrNone() {
        const engine::SearchSpace space(test::toyEmbedding());
        calibration::CalibrationOptions options = smallGrid();
        QCOMPARE(calibration::pointsAlongAxis(space, options), 200);
        // 88 bytes for each draw at two lambdas: 17.6 MB a point of 100,000 draws.
        options.draws = 100'000;
        const int fewer = calibration::pointsAlongAxis(space, options);
        QVERIFY2(fewer >= 28 && fewer <= 30, qPrintable(QString::number(fewer)));
        options.draws = 200'000;
        QCOMPARE(calibration::pointsAlongAxis(space, options), 0);
        QCOMPARE(calibration::measuredOptions(space, options).grid.epsilons.size(), std::size_t{3});
    }

    void whatCostsMuchAtEveryEpsilonIsMeasuredAtTheGridFirst() {
        const engine::SearchSpace space(test::toyEmbedding());
        calibration::CalibrationOptions options = smallGrid();
        QVERIFY(calibration::measuresExactly(space, options));
        options.rerunWorst = true;
        QVERIFY(!calibration::measuresExactly(space, options));
        QCOMPARE(calibration::measuredOptions(space, options).grid.epsilons.size(), std::size_t{3});
        options.rerunWorst = false;
        options.independentDraws = true;
        const auto run = calibration::runCurves(space, options).value();
        QCOMPARE(run->sw[0].line.size(), std::size_t{3});
        const auto after = calibration::measureLines(space, run).value();
        QVERIFY(after->sw[0].exact);
    }

    /// What a report draws through: at the epsilons of the run the same values, and 200 more.
    void aFamilyAlongTheAxisHasTheValuesOfTheRun() {
        const engine::SearchSpace space(test::toyEmbedding());
        const calibration::RunHandle run = calibration::runCurves(space, smallGrid()).value()->run;
        const mechanism::Mechanism family = mechanism::Mahalanobis{0.5};
        const auto along = calibration::familyAlongAxis(*run, family, space, 0.0).value();
        QCOMPARE(along->cells.size(), std::size_t{203});
        for (const double epsilon : smallGrid().grid.epsilons) {
            const auto cellIn = [&](const calibration::CalibrationSummary& summary) {
                return summary.cells[*calibration::cellOf(summary.grid, {family, epsilon})];
            };
            QCOMPARE(cellIn(*along).nw.mean, cellIn(*run->summary).nw.mean);
            QCOMPARE(cellIn(*along).near, cellIn(*run->summary).near);
        }
        const auto lower = calibration::familyAlongAxis(*run, family, space, 0.001).value();
        const auto least = [](const calibration::CalibrationSummary& summary) {
            return *std::min_element(summary.grid.epsilons.begin(), summary.grid.epsilons.end());
        };
        QCOMPARE(least(*lower), 0.001);
        QVERIFY(least(*along) > 0.001);
        calibration::Run slow = *run;
        calibration::CalibrationSummary summary = *run->summary;
        summary.seconds = 3600.0;
        slow.summary = std::make_shared<const calibration::CalibrationSummary>(summary);
        QVERIFY(calibration::familyAlongAxis(slow, family, space, 0.0).value() == nullptr);
    }

    /// The drawings of a mechanism whose outputs are not known between epsilons go through 40 more.
    void aFamilyWithoutPathsIsMeasuredAtFewerEpsilons() {
        const engine::SearchSpace space(test::toyEmbedding());
        calibration::CalibrationOptions options = smallGrid();
        options.grid = mechanism::Grid::of(mechanism::Tem{});
        options.grid.epsilons = smallGrid().grid.epsilons;
        const calibration::RunHandle run = calibration::runCurves(space, options).value()->run;
        const mechanism::Mechanism family = run->summary->grid.mechanisms().front();
        const auto along = calibration::familyAlongAxis(*run, family, space, 0.0).value();
        QVERIFY(along != nullptr);
        QCOMPARE(along->cells.size(), std::size_t{43});
        options.grid.epsilons = along->grid.epsilons;
        const auto alone = calibration::calibrate(space, options).value();
        for (std::size_t i = 0; i < along->cells.size(); ++i) {
            QCOMPARE(along->cells[i].epsilon, alone.cells[i].epsilon);
            QCOMPARE(along->cells[i].kept, alone.cells[i].kept);
            QCOMPARE(along->cells[i].near, alone.cells[i].near);
        }
    }

    void aStopLeavesNoHalfMeasuredLine() {
        const engine::SearchSpace space(test::toyEmbedding());
        calibration::CalibrationOptions options = smallGrid();
        options.independentDraws = true;
        const auto run = calibration::runCurves(space, options).value();
        std::stop_source stop;
        stop.request_stop();
        const auto denser = calibration::measureLines(space, run, JobContext{stop.get_token(), {}});
        QVERIFY(!denser && denser.error().code == ErrorCode::cancelled);
    }
};

EPSILENS_UI_TEST(CurveLinesTest)
#include "curve_lines_test.moc"
