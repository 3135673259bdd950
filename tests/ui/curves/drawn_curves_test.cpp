#include <algorithm>
#include <limits>

#include <qcustomplot.h>
#include <QComboBox>

#include "tests/ui/curves/curves_fixture.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

using calibration::Cell;
using statistics::Summary;
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
        auto* choice = findControl<QComboBox>(m_run.panel, "bandOfComboBox");
        choice->setCurrentIndex(choice->findText(QStringLiteral("for every λ")));
        Q_EMIT choice->activated(choice->currentIndex());
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
