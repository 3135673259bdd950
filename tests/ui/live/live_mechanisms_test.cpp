#include <cmath>

#include "core/engine/create_series.h"
#include "core/engine/noise_draws.h"
#include "core/engine/poincare_space.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"
#include "tests/ui/live/live_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/live/live_model.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::ui::live::LiveModel;
using test::isSettled;

namespace {

constexpr int kWords = 200;

void loadBall(AnalysisState& state) {
    const auto ball = test::toyBall(kWords, 3);
    state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
    state.lookAt(QStringLiteral("paris london word7"));
}

}  // namespace

class LiveMechanismsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Probabilities by the closed form over distances in float64, S_w by its definition.
    void temShowsExactProbabilities() {
        AnalysisState state;
        loadBall(state);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::setParameters, {.metric = metric::Metric::angular});
        state.edit(&AnalysisSettings::setParameters, {.gamma = 1.2});
        state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        LiveModel model(state);
        for (const double epsilon : {2.0, 9.0}) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
            QTRY_VERIFY(isSettled(model));
            const auto metric =
                metric::WordMetric::create(state.embedding(), metric::Metric::angular).value();
            std::vector<double> distances;
            distances.reserve(kWords);
            for (embedding::Row row = 0; row < kWords; ++row) {
                distances.push_back(metric.distance(0, row));
            }
            const auto p = mechanism::TruncatedExponential::create(epsilon, 1.2)
                               .value()
                               .probabilities(distances);
            double distinct = 0.0;
            for (const double share : p) {
                distinct += 1.0 - std::pow(1.0 - share, state.draws());
            }
            const auto& shown = model.words().front().distribution;
            QVERIFY(shown.exact);
            QVERIFY(std::abs(shown.kept - 100.0 * p[0]) < 1e-3);
            QVERIFY(std::abs(shown.distinct - distinct) < 1e-3 * distinct);
            for (const auto& output : shown.outputs) {
                const double expected = 100.0 * p[static_cast<std::size_t>(output.row)];
                QVERIFY(std::abs(output.count - expected) < 1e-3 * expected);
            }
            QCOMPARE(shown.outputCount, std::int64_t{kWords});
            QVERIFY(model.output().words.front().output.row.has_value());
        }
        QVERIFY(model.words().front().critical.has_value());
    }

    /// Hyperbolic outputs follow the exact paths; their counts are those of drawing at the epsilon.
    void hyperbolicPathsAgreeWithDraws() {
        AnalysisState state;
        loadBall(state);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        LiveModel model(state);
        QTRY_VERIFY(isSettled(model));
        compareWithDraws(state, model, {2.5, 4.0, 12.0});
        QVERIFY(model.words().front().critical->median >= 2.0);  // m - 1
    }

    /// Near means near by the distance of the mechanism: they differ between the ball's distance
    /// and the Euclidean one.
    void neighboursFollowTheMechanism() {
        AnalysisState state;
        loadBall(state);
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        LiveModel model(state);
        QTRY_VERIFY(isSettled(model));
        const auto euclidean = model.neighbours(Word(state.embedding(), 0))->rows;
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QTRY_VERIFY(isSettled(model));
        const auto hyperbolic = model.neighbours(Word(state.embedding(), 0))->rows;
        const engine::PoincareSpace ball(*state.searchSpace());
        QVERIFY(hyperbolic == engine::poincareNeighbours(ball, 0, 100).rows);
        QVERIFY(hyperbolic != euclidean);
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_VERIFY(isSettled(model));
        QVERIFY(model.neighbours(Word(state.embedding(), 0))->rows == euclidean);
    }

private:
    static void compareWithDraws(AnalysisState& state, LiveModel& model,
                                 const std::vector<double>& epsilons) {
        const auto series =
            engine::createSeries(*state.searchSpace(), state.mechanism(), {0.0}).value();
        const std::vector<embedding::Row> rows{0, 1, 7};
        const auto drawn =
            engine::drawOutputs(*series, rows, epsilons, {state.draws(), state.seed(), 100, 0})
                .value();
        for (std::size_t e = 0; e < epsilons.size(); ++e) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilons[e]);
            QTRY_VERIFY(isSettled(model));
            for (std::size_t word = 0; word < rows.size(); ++word) {
                QVERIFY(
                    test::isSame(model.words()[word].distribution,
                                 statistics::outputDistribution(rows[word], drawn[word].outputs[e],
                                                                drawn[word].neighbours)));
            }
        }
    }
};

EPSILENS_UI_TEST(LiveMechanismsTest)
#include "live_mechanisms_test.moc"
