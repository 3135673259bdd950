#include "core/calibration/run_curves.h"

#include <cmath>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_table.h"
#include "ui/curves/curve_text.h"

using namespace epsilens;

namespace {

calibration::CalibrationOptions smallGrid(bool critical) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {1.0, 4.0, 16.0};
    options.grid.lambdas = {0.0, 0.5};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = 50;
    options.criticalEpsilons = critical;
    return options;
}

ui::RunCurvesHandle runToy(bool critical) {
    const engine::SearchSpace space(test::toyEmbedding());
    return calibration::runCurves(space, smallGrid(critical)).value();
}

}  // namespace

class CurveDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two ways to N_w: critical values per draw, and counting the outputs at each epsilon.
    void exactCurvesPassThroughTheCountsAtTheGrid() {
        const auto run = runToy(true);
        QCOMPARE(run->nw.size(), std::size_t{2});
        for (std::size_t k = 0; k < 2; ++k) {
            QVERIFY(run->nw[k].exact);
            const auto points = run->exact[k].at(run->summary().grid.epsilons);
            for (std::size_t e = 0; e < points.size(); ++e) {
                const auto& counted = run->summary().cells[k * 3 + e].nw;
                QVERIFY(std::abs(points[e].over.mean - counted.mean) < 1e-5);
                QCOMPARE(points[e].over.p5, counted.p5);
                QCOMPARE(points[e].over.p50, counted.p50);
                QCOMPARE(points[e].over.p95, counted.p95);
            }
        }
    }

    void linesRiseAndReachBeyondTheGrid() {
        const auto run = runToy(true);
        const auto& line = run->nw[1].line;
        QVERIFY(line.front().epsilon < 1.0 && line.back().epsilon > 16.0);
        for (std::size_t i = 1; i < line.size(); ++i) {
            QVERIFY(line[i].epsilon >= line[i - 1].epsilon);
            QVERIFY(line[i].over.mean >= line[i - 1].over.mean);
        }
        QVERIFY(run->sw[1].exact);
        QCOMPARE(run->sw[1].line.size(), line.size());
    }

    void withoutCriticalValuesAndStepsBothAreSampled() {
        const calibration::RunCurves run = calibration::arrange(runToy(false)->run);
        QVERIFY(run.exact.empty() && run.steps.empty() && !run.nw[0].exact);
        QVERIFY(ui::originText(run, ui::Statistic::nw).contains(QStringLiteral("sampled")));
        QVERIFY(ui::originText(*runToy(true), ui::Statistic::nw).contains(QStringLiteral("exact")));
        QVERIFY(!calibration::readAt(run, 100.0)[0].nw);
    }

    /// Between 4 and 16 the middle in log epsilon is 8, so values there are means of two where the
    /// grid alone was measured.
    void readingsInterpolateInLogEpsilon() {
        const calibration::RunCurves run = calibration::arrange(runToy(true)->run);
        const auto reading = calibration::readAt(run, 8.0)[1];
        const double expected =
            0.5 * (run.sw[1].markers[1].over.mean + run.sw[1].markers[2].over.mean);
        QVERIFY(reading.nwExact && !reading.swExact);
        QVERIFY(std::abs(reading.sw->over.mean - expected) < 1e-9);
        QVERIFY(calibration::readAt(run, 4.0)[1].swExact);
        const auto beyond = calibration::readAt(run, 17.0)[1];
        QVERIFY(!beyond.sw && beyond.nw);
    }

    void readingsSayWhatIsKnown() {
        const calibration::RunCurves run = calibration::arrange(runToy(true)->run);
        const mechanism::Mechanism set = mechanism::Mahalanobis{.lambda = 0.5};
        const QString between = ui::readingText(run, 1, 8.0, {}, set);
        QVERIFY(between.startsWith(QStringLiteral("At ε 8, λ 0.5")));
        QVERIFY2(between.contains(QStringLiteral("λ 0.5")) &&
                     between.contains(QStringLiteral("S<sub>w</sub> ≈")),
                 qPrintable(between));
        QVERIFY(ui::readingText(run, 1, 99.0, {}, set)
                    .contains(QStringLiteral("S<sub>w</sub> unknown outside the grid")));
        QVERIFY(ui::readingText(run, 7, 8.0, {}, set).isEmpty());
        // The curve of another λ is not taken for that of the λ set.
        QCOMPARE(ui::readingText(run, 1, 8.0, {}, mechanism::Mahalanobis{.lambda = 0.53}),
                 QStringLiteral(
                     "There is no curve for λ 0.53, the value set; this is the nearest one. ") +
                     between);
    }

    void tableHoldsEveryCellOfTheGrid() {
        const auto run = runToy(true);
        ui::CurveTable table;
        QCOMPARE(table.rowCount(), 0);
        table.setRun(run);
        QCOMPARE(table.rowCount(), 6);
        const auto value = [&](int row, int column) {
            return table.index(row, column).data(Qt::EditRole).toDouble();
        };
        QCOMPARE(value(4, ui::CurveTable::parameterColumn), 0.5);
        QCOMPARE(value(4, ui::CurveTable::epsilonColumn), 4.0);
        QCOMPARE(value(4, ui::CurveTable::nwMeanColumn), run->summary().cells[4].nw.mean);
        QCOMPARE(value(4, ui::CurveTable::swHighColumn), run->summary().cells[4].sw.p95);
        table.setBand({25, 75});
        QCOMPARE(value(4, ui::CurveTable::swHighColumn), run->summary().cells[4].sw.p75);
        QCOMPARE(table.headerData(ui::CurveTable::nwLowColumn, Qt::Horizontal, Qt::DisplayRole)
                     .toString(),
                 QStringLiteral("P25"));
        // Every output is kept, near or far.
        QVERIFY(std::abs(value(2, ui::CurveTable::keptColumn) +
                         value(2, ui::CurveTable::nearColumn) +
                         value(2, ui::CurveTable::farColumn) - 1.0) < 1e-12);
    }

    void csvHasALinePerCell() {
        ui::CurveTable table;
        table.setRun(runToy(false));
        const QStringList lines = table.csv().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[0].count(QLatin1Char(',')), ui::CurveTable::columnEnd - 1);
        QCOMPARE(lines[6].count(QLatin1Char(',')), ui::CurveTable::columnEnd - 1);
        QVERIFY(lines[6].startsWith(QStringLiteral("0.5,16,")));
    }

    void hugeRunsDoWithoutCriticalValues() {
        // 256 MiB of doubles are 33,554,432 values.
        QVERIFY(calibration::exactCurvesFit(335'544, 100, 1));
        QVERIFY(!calibration::exactCurvesFit(335'545, 100, 1));
    }
};

EPSILENS_UI_TEST(CurveDataTest)
#include "curve_data_test.moc"
