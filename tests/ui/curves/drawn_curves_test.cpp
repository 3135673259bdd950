#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <qcustomplot.h>

#include "tests/ui/curves/curves_fixture.h"
#include "tests/ui/support/contrast.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

using calibration::Cell;
using calibration::Summary;
using Over = Summary Cell::*;
using Value = double Summary::*;

const std::vector<double> kEpsilons{0.5, 2.0, 8.0};
const std::vector<double> kLambdas{0.0, 1.0};

/// The graphs of a plot by what they look like, each kind in the order of lambda.
struct Drawn {
    explicit Drawn(const QCustomPlot& canvas) {
        for (int i = 0; i < canvas.graphCount(); ++i) {
            const QCPGraph* graph = canvas.graph(i);
            if (graph->dataCount() == 0) {
                continue;  // an entry of the legend
            }
            if (const QCPGraph* below = graph->channelFillGraph()) {
                highs.push_back(graph);
                lows.push_back(below);
            } else if (graph->lineStyle() == QCPGraph::lsNone) {
                points.push_back(graph);
            } else if (graph->pen().style() == Qt::DashLine) {
                medians.push_back(graph);
            } else if (graph->pen().style() == Qt::SolidLine) {
                means.push_back(graph);
            }
        }
    }

    std::vector<const QCPGraph*> lows, highs, medians, means, points;
};

/// What a graph shows at an epsilon of the grid, NaN where it has no point.
double valueAt(const QCPGraph& graph, double epsilon) {
    const auto point = graph.data()->findBegin(epsilon, false);
    return point != graph.data()->constEnd() && point->key == epsilon
               ? point->value
               : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Q_DECLARE_METATYPE(Over)
Q_DECLARE_METATYPE(Value)

/// The data of what is drawn over a run are the numbers of its cells.
class DrawnCurvesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const auto embedding = test::toyEmbedding(150, 8);
        m_run.state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        m_run.state.edit([&](AnalysisSettings& settings) {
            settings.grid.epsilons = kEpsilons;
            settings.grid.lambdas = kLambdas;
        });
        m_run.run();
        m_run.showBands(1 + static_cast<int>(kLambdas.size()));  // for every λ
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void curvesAreThoseOfTheCells_data() {
        QTest::addColumn<QByteArray>("plot");
        QTest::addColumn<Over>("over");
        QTest::addColumn<PercentileBand>("band");
        QTest::addColumn<Value>("low");
        QTest::addColumn<Value>("high");
        for (const bool isNw : {true, false}) {
            const QByteArray plot = isNw ? "nwPlot" : "swPlot";
            const Over over = isNw ? &Cell::nw : &Cell::sw;
            QTest::newRow(plot + ", P5 to P95")
                << plot << over << PercentileBand{5, 95} << &Summary::p5 << &Summary::p95;
            QTest::newRow(plot + ", P25 to P75")
                << plot << over << PercentileBand{25, 75} << &Summary::p25 << &Summary::p75;
        }
    }
    void curvesAreThoseOfTheCells() {
        QFETCH(const QByteArray, plot);
        QFETCH(const Over, over);
        QFETCH(const PercentileBand, band);
        QFETCH(const Value, low);
        QFETCH(const Value, high);
        m_run.state.edit(&AnalysisSettings::band, band);
        const QCustomPlot& canvas = m_run.plot(plot.constData())->plot();
        QCOMPARE(canvas.xAxis->scaleType(), QCPAxis::stLogarithmic);
        QVERIFY(canvas.xAxis->label().startsWith(QStringLiteral("ε")));
        const Drawn drawn(canvas);
        expectValues(drawn.means, over, &Summary::mean);
        expectValues(drawn.points, over, &Summary::mean);
        expectValues(drawn.medians, over, &Summary::p50);
        expectValues(drawn.lows, over, low);
        expectValues(drawn.highs, over, high);
    }

    void theCopiedDataAreThoseOfTheCells() {
        m_run.state.edit(&AnalysisSettings::band, {25, 75});
        const QString csv = m_run.plot("swPlot")->visibleCsv();
        for (const Cell& cell : m_run.panel.result()->summary().cells) {
            QStringList fields;
            for (const double value :
                 {cell.lambda, cell.epsilon, cell.sw.mean, cell.sw.p25, cell.sw.p50, cell.sw.p75}) {
                fields.append(shortest(value));
            }
            const QString line =
                QLatin1Char('\n') + fields.join(QLatin1Char(',')) + QLatin1Char('\n');
            QVERIFY2(csv.contains(line), qPrintable(line));
        }
        QVERIFY(csv.startsWith(QStringLiteral("lambda,epsilon,mean,p25,median,p75\n")));
    }

    /// The toy words spread up to 8 times as far in one direction as in another: lambda matters.
    void curvesOfUnlikeLambdasPart() {
        m_run.panel.resize(646, 460);  // as in a window 960 wide
        QCustomPlot& canvas = m_run.plot("nwPlot")->plot();
        canvas.replot();
        const Drawn drawn(canvas);
        QCOMPARE(drawn.medians.size(), std::size_t{2});
        double gap = 0.0;
        for (int i = 0; i < drawn.medians[0]->dataCount(); ++i) {
            gap = std::max(
                gap, std::abs(canvas.yAxis->coordToPixel(drawn.medians[0]->dataMainValue(i)) -
                              canvas.yAxis->coordToPixel(drawn.medians[1]->dataMainValue(i))));
        }
        QVERIFY(gap >= 3.0 * drawn.means[0]->pen().widthF());
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

    void tenCurvesHaveTenMarkers() {
        std::set<std::pair<int, QRgb>> seen;
        for (int index = 0; index < 10; ++index) {
            const QCPScatterStyle marker = curveMarker(index, Qt::black, Qt::white);
            seen.insert({marker.shape(), marker.brush().color().rgb()});
        }
        QCOMPARE(seen.size(), std::size_t{10});
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

private:
    /// One graph per lambda, through the values of its cells.
    void expectValues(const std::vector<const QCPGraph*>& graphs, Over over, Value value) {
        QCOMPARE(graphs.size(), kLambdas.size());
        for (const Cell& cell : m_run.panel.result()->summary().cells) {
            const auto lambda = std::find(kLambdas.begin(), kLambdas.end(), cell.lambda);
            const auto index = static_cast<std::size_t>(lambda - kLambdas.begin());
            QCOMPARE(valueAt(*graphs[index], cell.epsilon), cell.*over.*value);
        }
    }

    test::CurvesFixture m_run;
};

EPSILENS_UI_TEST(DrawnCurvesTest)
#include "drawn_curves_test.moc"
