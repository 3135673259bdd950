#include "core/calibration/run_curves.h"

#include <cmath>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_table.h"
#include "ui/curves/curve_text.h"

using namespace epsilens;

namespace {

calibration::CalibrationOptions smallGrid() {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {1.0, 4.0, 16.0};
    options.grid.lambdas = {0.0, 0.5};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = 50;
    return options;
}

ui::RunCurvesHandle runToy() {
    const engine::SearchSpace space(test::toyEmbedding());
    return calibration::withResponses(space, calibration::runCurves(space, smallGrid()).value())
        .value();
}

}  // namespace

class CurveDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesRiseAndReachBeyondTheGrid() {
        const auto run = runToy();
        const auto& line = run->nw[1].line;
        QVERIFY(line.front().epsilon < 1.0 && line.back().epsilon > 16.0);
        for (std::size_t i = 1; i < line.size(); ++i) {
            QVERIFY(line[i].epsilon >= line[i - 1].epsilon);
            QVERIFY(line[i].over.mean >= line[i - 1].over.mean);
        }
        QCOMPARE(run->sw[1].line.size(), line.size());
    }

    void whereValuesComeFromIsSaid() {
        const calibration::RunCurves run = calibration::arrange(runToy()->run);
        QVERIFY(ui::originText(run, ui::Statistic::nw).contains(QStringLiteral("sampled")));
        QVERIFY(ui::originText(*runToy(), ui::Statistic::nw)
                    .contains(QStringLiteral("exact at every")));
    }

    void readingsSayWhatIsKnown() {
        const calibration::RunCurves run = calibration::arrange(runToy()->run);
        const mechanism::Mechanism set = mechanism::Mahalanobis{.lambda = 0.5};
        const auto readingAt = [&](double epsilon, const mechanism::Mechanism& of) {
            return ui::readingText(run, 1, calibration::readCurve(run, 1, epsilon), epsilon, {},
                                   of);
        };
        const QString between = readingAt(8.0, set);
        QVERIFY(between.startsWith(QStringLiteral("At ε 8, λ 0.5")));
        QVERIFY2(between.contains(QStringLiteral("λ 0.5")) &&
                     between.contains(QStringLiteral("S<sub>w</sub> ≈")),
                 qPrintable(between));
        QVERIFY(readingAt(99.0, set).contains(
            QStringLiteral("S<sub>w</sub> unknown outside the grid")));
        // The curve of another λ is not taken for that of the λ set.
        QCOMPARE(readingAt(8.0, mechanism::Mahalanobis{.lambda = 0.53}),
                 QStringLiteral(
                     "There is no curve for λ 0.53, the value set; this is the nearest one. ") +
                     between);
    }

    void tableHoldsEveryCellOfTheGrid() {
        const auto run = runToy();
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
        table.setRun(runToy());
        const QStringList lines = table.csv().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[0].count(QLatin1Char(',')), ui::CurveTable::columnEnd - 1);
        QCOMPARE(lines[6].count(QLatin1Char(',')), ui::CurveTable::columnEnd - 1);
        QVERIFY(lines[6].startsWith(QStringLiteral("0.5,16,")));
    }
};

EPSILENS_UI_TEST(CurveDataTest)
#include "curve_data_test.moc"
