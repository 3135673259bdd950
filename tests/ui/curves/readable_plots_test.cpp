#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QComboBox>

#include "core/calibration/limits.h"
#include "tests/ui/curves/curves_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

/// The size that the panel has in a window 960 wide.
constexpr QSize kNarrow(646, 460);

/// A run with limits that lie close together.
struct LimitedRun : test::CurvesFixture {
    LimitedRun() {
        state.edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%"),
                                               *calibration::parseLimit("kept.mean<=0.45"),
                                               *calibration::parseLimit("sw.p5>=4")});
        run();
    }
};

/// Curves through points at the same epsilons: how far they part, up and down, in pixels.
double largestGap(const QCPGraph& one, const QCPGraph& other) {
    const QCPAxis& axis = *one.valueAxis();
    double gap = 0.0;
    for (int i = 0; i < one.dataCount(); ++i) {
        gap = std::max(gap, std::abs(axis.coordToPixel(one.dataMainValue(i)) -
                                     axis.coordToPixel(other.dataMainValue(i))));
    }
    return gap;
}

}  // namespace

/// What is drawn beside and over curves can be read, and so can the curves.
class ReadablePlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = std::make_unique<LimitedRun>(); }
    void cleanup() {
        m_run.reset();
        applyTheme(ThemeChoice::light);
    }

    /// The toy words spread up to 8 times as far in one direction as in another: lambda matters.
    void curvesOfUnlikeLambdasPart() {
        const auto embedding = test::toyEmbedding(150, 8);
        m_run->state.setEmbedding(embedding,
                                  std::make_shared<const engine::SearchSpace>(embedding));
        m_run->state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {0.5, 1.0, 2.0, 4.0, 8.0};
        });
        m_run->state.edit([](AnalysisSettings& settings) { settings.grid.lambdas = {0.0, 1.0}; });
        m_run->state.edit(&AnalysisSettings::draws, 50);
        m_run->panel.resize(kNarrow);
        m_run->run();
        auto* choice = findControl<QComboBox>(m_run->panel, "bandOfComboBox");
        choice->setCurrentIndex(choice->findText(QStringLiteral("for every λ")));
        Q_EMIT choice->activated(choice->currentIndex());
        QCustomPlot& canvas = m_run->plot("nwPlot")->plot();
        canvas.replot();
        std::vector<const QCPGraph*> medians;
        double widest = 0.0;
        for (int i = 0; i < canvas.graphCount(); ++i) {
            const QCPGraph* graph = canvas.graph(i);
            widest = std::max(widest, graph->pen().widthF());
            if (graph->dataCount() > 0 && graph->pen().style() == Qt::DashLine) {
                medians.push_back(graph);
            }
        }
        QCOMPARE(medians.size(), std::size_t{2});
        QCOMPARE(medians[0]->dataCount(), medians[1]->dataCount());
        QVERIFY(widest > 0.0);
        QVERIFY(largestGap(*medians[0], *medians[1]) >= 3.0 * widest);
    }

private:
    std::unique_ptr<LimitedRun> m_run;
};

EPSILENS_UI_TEST(ReadablePlotsTest)
#include "readable_plots_test.moc"
