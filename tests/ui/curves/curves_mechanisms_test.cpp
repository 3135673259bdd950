#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_table.h"
#include "ui/curves/curve_text.h"
#include "ui/curves/curves_model.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

void loadBall(AnalysisState& state) {
    const auto ball = test::toyBall(120, 4);
    state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
    state.edit(&AnalysisSettings::draws, 20);
}

}  // namespace

class CurvesMechanismsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void temRunsOverBetaAndIsExact() {
        AnalysisState state;
        CurvesModel model(state);
        loadBall(state);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(model.grid().parameter() == CurveParameter::beta);
        QCOMPARE(model.grid().parameterText(), QStringLiteral("0.001"));
        QCOMPARE(model.grid().setParameterText(QStringLiteral("0.001; 0.1")), QString());
        QCOMPARE(model.grid().setEpsilonText(QStringLiteral("5; 20")), QString());
        model.run();
        QTRY_VERIFY_WITH_TIMEOUT(model.result() && !model.result()->responses.empty(), kPatienceMs);
        const RunCurves& run = *model.result();
        QVERIFY(run.summary().isExact());
        QCOMPARE(run.nw.size(), std::size_t{2});
        QCOMPARE(run.nw[1].value, 0.1);
        QVERIFY(!run.isExact() && run.responses.size() == 2);
        QVERIFY(originText(run, Statistic::nw).contains(QStringLiteral("exact at the 2 ε")));
        QVERIFY(model.staleness().isEmpty());
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.2});
        QCOMPARE(model.nearestCurve(), 1);
        QVERIFY(model.staleness().isEmpty());  // the grid, not the control, is what was run
        state.edit(&AnalysisSettings::setParameters, {.metric = metric::Metric::angular});
        QVERIFY(!model.staleness().isEmpty());
    }

    void givenRadiiMakeTheCurves() {
        AnalysisState state;
        CurvesModel model(state);
        loadBall(state);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        state.edit(&AnalysisSettings::largestDistance, 2.0);
        QVERIFY(model.grid().parameter() == CurveParameter::gamma);
        QCOMPARE(model.grid().parameterText(), QStringLiteral("0.5; 1; 1.5; 2"));
        QCOMPARE(state.calibrationOptions().grid.gammas, std::vector<double>({0.5, 1.0, 1.5, 2.0}));
        QVERIFY(!model.grid().setParameterText(QStringLiteral("-1")).isEmpty());
    }

    /// m = 4: the default grid is 3 + {1, 5, 10, 20, 40}; the curve is known between its points.
    void riemannianNoiseHasItsOwnGrid() {
        AnalysisState state;
        CurvesModel model(state);
        loadBall(state);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QCOMPARE(state.grid().epsilons, std::vector<double>({4.0, 8.0, 13.0, 23.0, 43.0}));
        QVERIFY(model.grid().parameter() == CurveParameter::none);
        model.run();
        QTRY_VERIFY_WITH_TIMEOUT(model.result() && !model.result()->responses.empty(), kPatienceMs);
        const RunCurves& run = *model.result();
        QCOMPARE(run.nw.size(), std::size_t{1});
        QVERIFY(run.isExact());
        QVERIFY(run.nw.front().line.front().epsilon > 3.0);
        QVERIFY(!readAt(run, 2.9).front().nw.has_value());
        QVERIFY(readAt(run, 10.0).front().nw.has_value());
        for (const CurvePoint& point : run.nw.front().markers) {
            QCOMPARE(readAt(run, point.epsilon).front().nw->over.mean, point.over.mean);
        }
        CurveTable table;
        table.setRun(model.result());
        QVERIFY(!table.hasParameter());
        (void)model.grid().setEpsilonText(QStringLiteral("2; 10"));
        QTRY_VERIFY(model.obstacle().contains(QStringLiteral("3")));
    }
};

EPSILENS_UI_TEST(CurvesMechanismsTest)
#include "curves_mechanisms_test.moc"
