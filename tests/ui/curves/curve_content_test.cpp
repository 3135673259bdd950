#include "ui/curves/curve_content.h"

#include <algorithm>

#include "tests/ui/support/contrast.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;
using calibration::Cell;

namespace {

const RunCurvesHandle& sampledRun() {
    static const RunCurvesHandle run = [] {
        const engine::SearchSpace space(test::toyEmbedding());
        calibration::CalibrationOptions options;
        options.grid.mechanism = mechanism::Mahalanobis();
        options.grid.epsilons = {1.0, 4.0, 16.0};
        options.grid.lambdas = {0.0, 0.5};
        options.words.kind = calibration::WordSelection::Kind::all;
        options.draws = 50;
        return withResponses(space, *calibration::runCurves(space, options)).value();
    }();
    return run;
}

}  // namespace

class CurveContentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readingsSayWhatIsKnown() {
        const engine::SearchSpace space(test::toyEmbedding());
        const RunCurves run = *calibration::runCurves(space, sampledRun()->options()).value();
        QVERIFY(originText(run, Statistic::nw).contains(QStringLiteral("sampled")));
        const auto readingAt = [&](double epsilon, double lambda) {
            return readingText(run, 1, epsilon, {}, mechanism::Mahalanobis{.lambda = lambda});
        };
        const QString between = readingAt(8.0, 0.5);
        QVERIFY2(between.startsWith(QStringLiteral("At ε 8, λ 0.5")) &&
                     between.contains(QStringLiteral("S<sub>w</sub> ≈")),
                 qPrintable(between));
        QVERIFY(readingAt(99.0, 0.5).contains(
            QStringLiteral("S<sub>w</sub> unknown outside the grid")));
        // The curve of another λ is not taken for that of the λ set.
        QCOMPARE(readingAt(8.0, 0.53),
                 QStringLiteral(
                     "There is no curve for λ 0.53, the value set; this is the nearest one. ") +
                     between);
    }

    /// The means of every λ, and median and band of the one that is set, are those of the cells.
    void curvesAreThoseOfTheCells() {
        for (const auto statistic : {Statistic::nw, Statistic::sw}) {
            const PlotContent content = curveContent(*sampledRun(), statistic, {25, 75}, 1);
            QVERIFY(content.x.isLogarithmic && content.x.symbol == QStringLiteral("ε"));
            QCOMPARE(content.csvTitle, QStringLiteral("curve,epsilon,value,p25,p75"));
            QCOMPARE(content.series.size(), std::size_t{3});
            const auto at = [&](std::size_t series, double epsilon) {
                const auto& points = content.series[series].points;
                return *std::find_if(points.begin(), points.end(),
                                     [&](const PlotPoint& point) { return point.x == epsilon; });
            };
            for (const Cell& cell : sampledRun()->summary().cells) {
                const calibration::Summary& over = statistic == Statistic::nw ? cell.nw : cell.sw;
                const PlotPoint mean = at(cell.lambda == 0.0 ? 0 : 1, cell.epsilon);
                QVERIFY(mean.isMarked);
                QCOMPARE(mean.y, over.mean);
                if (cell.lambda == 0.5) {
                    const PlotPoint median = at(2, cell.epsilon);
                    QCOMPARE(median.y, over.p50);
                    QCOMPARE((*median.range)[0], over.p25);
                    QCOMPARE((*median.range)[1], over.p75);
                }
            }
            const auto& points = content.series.front().points;
            QVERIFY(points.size() > 10);
            QCOMPARE(std::count_if(points.begin(), points.end(),
                                   [](const PlotPoint& point) { return point.isMarked; }),
                     3);
        }
    }

    // Lines at least 3 : 1 (WCAG 2.1, 1.4.11).
    void everyCurveStandsOutFromThePlot() {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const Theme theme = themeFor(palette);
            for (const auto statistic : {Statistic::nw, Statistic::sw}) {
                for (int index = 0; index < 5; ++index) {
                    const QColor colour = curveColour(statistic, theme, index, 5);
                    QVERIFY2(test::contrast(colour, theme.surface) >= 3.0,
                             qPrintable(colour.name()));
                }
            }
        }
    }

    /// Okabe and Ito's hues, the lighter ones for lines on dark.
    void aSingleCurveHasTheHueOfItsStatistic() {
        const Theme light = themeFor(lightPalette());
        const Theme dark = themeFor(darkPalette());
        QCOMPARE(curveColour(Statistic::nw, light, 0, 1).name(), QStringLiteral("#0072b2"));
        QCOMPARE(curveColour(Statistic::sw, light, 0, 1).name(), QStringLiteral("#d55e00"));
        QCOMPARE(curveColour(Statistic::nw, dark, 0, 1).name(), QStringLiteral("#56b4e9"));
        QCOMPARE(curveColour(Statistic::sw, dark, 0, 1).name(), QStringLiteral("#e69f00"));
    }
};

EPSILENS_UI_TEST(CurveContentTest)
#include "curve_content_test.moc"
