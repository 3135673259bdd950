#include "ui/curves/curves_model.h"

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_settings.h"

using namespace epsilens;
using epsilens::ui::AnalysisState;
using epsilens::ui::CurvesModel;
using test::kPatienceMs;

namespace {

void load(AnalysisState& state, int words, int dimensions) {
    const auto embedding = test::toyEmbedding(words, dimensions);
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
}

/// Leaves the model with results of 40 words, 20 draws and five lambdas.
void runOnce(AnalysisState& state, CurvesModel& model) {
    load(state, 40, 3);
    state.edit(&ui::AnalysisSettings::draws, 20);
    model.run();
    QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr && !model.isRunning(), kPatienceMs);
}

}  // namespace

class CurvesModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhyItCannotRun() {
        AnalysisState state;
        CurvesModel model(state);
        QVERIFY(model.obstacle().contains(QStringLiteral("Open an embedding")));
        model.run();
        QVERIFY(!model.isRunning());
        load(state, 40, 3);
        QCOMPARE(model.obstacle(), QString());
    }

    /// The default grid goes from low / 2 to 2 high.
    void defaultGridFollowsTheEstimatedRangeUntilOneIsTyped() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 40, 3);
        state.edit(&ui::AnalysisSettings::suggest, {20.0, 10.0, 40.0});
        QCOMPARE(state.grid().epsilons.size(), std::size_t{5});
        QCOMPARE(state.grid().epsilons.front(), 5.0);
        QCOMPARE(state.grid().epsilons.back(), 80.0);

        QCOMPARE(model.grid().setEpsilonText(QStringLiteral("1..40 x9")), QString());
        QCOMPARE(state.grid().epsilons.size(), std::size_t{9});
        state.edit(&ui::AnalysisSettings::suggest, {30.0, 20.0, 50.0});
        QCOMPARE(state.grid().epsilons.size(), std::size_t{9});

        QVERIFY(!model.grid().setEpsilonText(QStringLiteral("1; x")).isEmpty());
        QCOMPARE(state.grid().epsilons.size(), std::size_t{9});

        QCOMPARE(model.grid().setEpsilonText(QString()), QString());
        QCOMPARE(state.grid().epsilons.front(), 10.0);
        QCOMPARE(state.grid().epsilons.back(), 100.0);
    }

    /// Results of a default grid would be out of date whenever lambda moves.
    void defaultGridStaysWhenOnlyTheScaleMoves() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 40, 3);
        state.edit(&ui::AnalysisSettings::suggest, {20.0, 10.0, 40.0});
        const std::vector<double> grid = state.grid().epsilons;
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.9});
        state.edit(&ui::AnalysisSettings::suggest, {21.0, 11.0, 43.0});
        QCOMPARE(state.grid().epsilons, grid);

        state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        QCOMPARE(state.grid().epsilons, grid);
        state.edit(&ui::AnalysisSettings::suggest, {30.0, 20.0, 50.0});
        QCOMPARE(state.grid().epsilons.front(), 10.0);
        QCOMPARE(state.grid().epsilons.back(), 100.0);

        load(state, 50, 3);
        state.edit(&ui::AnalysisSettings::suggest, {8.0, 4.0, 16.0});
        QCOMPARE(state.grid().epsilons.front(), 2.0);
        QVERIFY(model.grid().hasDefaultEpsilons());
    }

    void anotherEmbeddingReturnsToItsDefaultGrid() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 40, 3);
        (void)model.grid().setEpsilonText(QStringLiteral("7"));
        load(state, 50, 3);
        QVERIFY(model.grid().hasDefaultEpsilons());
        QCOMPARE(state.grid().epsilons.size(), std::size_t{5});
    }

    void gridsSetElsewhereAreKept() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 40, 3);
        state.edit([](ui::AnalysisSettings& settings) { settings.grid.epsilons = {3.0, 9.0}; });
        QCOMPARE(model.grid().epsilonText(), QStringLiteral("3; 9"));
        state.edit(&ui::AnalysisSettings::suggest, {20.0, 10.0, 40.0});
        QCOMPARE(model.grid().epsilonText(), QStringLiteral("3; 9"));
    }

    /// Three words span two of three dimensions, so the covariance is singular.
    void lambdaOneIsLeftOutOfTheDefaultWhenTheCovarianceIsSingular() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 3, 3);
        QCOMPARE(model.grid().parameterText(), QStringLiteral("0; 0.25; 0.5; 0.75"));
        QVERIFY(model.grid().note().contains(QStringLiteral("singular")));
        load(state, 40, 3);
        QCOMPARE(model.grid().parameterText(), QStringLiteral("0; 0.25; 0.5; 0.75; 1"));
        QCOMPARE(model.grid().note(), QString());
    }

    void theDefaultOfASingularCovarianceThatIsPutBackIsFollowedAgain() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 3, 3);
        const std::vector<double> before = state.grid().lambdas;
        QCOMPARE(model.grid().setParameterText(QStringLiteral("0.5")), QString());
        QCOMPARE(model.grid().note(), QString());
        state.edit(
            [&](ui::AnalysisSettings& settings) { settings.grid.lambdas = before; });  // undo
        QVERIFY(model.grid().note().contains(QStringLiteral("singular")));
        load(state, 40, 3);
        QCOMPARE(model.grid().parameterText(), QStringLiteral("0; 0.25; 0.5; 0.75; 1"));
    }

    void aRunCountsTheWorstWordsAgain() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 40, 3);
        state.edit(&ui::AnalysisSettings::draws, 20);
        state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.epsilons = {2.0, 8.0};
            settings.grid.lambdas = {0.5};
        });
        state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.max<=90%")});
        double last = 0.0;
        bool rises = true;
        connect(&model, &CurvesModel::progressChanged, this, [&] {
            const double fraction = model.runner().fraction();
            rises = rises && fraction >= last;
            last = fraction;
            QVERIFY2(!model.progressText().contains(QStringLiteral("words")),
                     qPrintable(model.progressText()));
        });
        model.run();
        QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr && !model.isRunning(), kPatienceMs);
        QVERIFY(rises);
        for (const calibration::Cell& cell : model.result()->summary().cells) {
            QVERIFY(cell.worst.has_value());
        }
        QTRY_VERIFY_WITH_TIMEOUT(model.result()->isExact(), kPatienceMs);
        // The same results answer other limits.
        state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=90%")});
        QVERIFY(!model.options().rerunWorst);
        QVERIFY2(model.staleness().isEmpty(), qPrintable(model.staleness()));
    }

    /// TEM keeps a word exactly as often as it says.
    void limitsOnTheWorstWordHaveItCountedAgain() {
        const auto isRerun = [](const mechanism::Mechanism& mechanism, const char* limit) {
            calibration::CalibrationOptions options;
            options.grid.mechanism = mechanism;
            return ui::optionsUnder({*calibration::parseLimit(limit)}, options).rerunWorst;
        };
        QVERIFY(isRerun(mechanism::Laplace(), "nw.max<=90%"));
        QVERIFY(isRerun(mechanism::Hyperbolic(), "kept.max<=0.9"));
        QVERIFY(!isRerun(mechanism::Laplace(), "sw.max<=90"));
        QVERIFY(!isRerun(mechanism::Laplace(), "nw.p99<=90%"));
        QVERIFY(!isRerun(mechanism::Tem(), "nw.max<=90%"));
    }

    void impossibleGridsAreRefusedBeforeTheyRun() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 3, 3);
        QCOMPARE(model.grid().setParameterText(QStringLiteral("1")), QString());
        QTRY_VERIFY_WITH_TIMEOUT(model.obstacle().contains(QStringLiteral("0.99")), kPatienceMs);
        model.run();
        QVERIFY(!model.isRunning());
    }

    void runsAndNoticesChangedSettings() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 40, 3);
        state.edit(&ui::AnalysisSettings::draws, 20);
        model.run();
        QVERIFY(model.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr && !model.isRunning(), kPatienceMs);
        QCOMPARE(model.result()->summary().cells.size(), std::size_t{25});
        QVERIFY(model.resultText().contains(QStringLiteral("40 words, R = 20 draws, seed 1")));
        QVERIFY(!model.resultText().contains(QStringLiteral("partial")));
        QCOMPARE(model.staleness(), QString());

        state.edit(&ui::AnalysisSettings::seed, 2);
        QVERIFY(model.staleness().contains(QStringLiteral("Settings changed")));
        state.edit(&ui::AnalysisSettings::seed, 1);
        QCOMPARE(model.staleness(), QString());
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 3.0);
        QCOMPARE(model.staleness(), QString());

        load(state, 50, 3);
        QVERIFY(!model.result() && model.staleness().isEmpty());
    }

    /// Whichever was asked for last is shown, whatever ends last.
    void aRunAndResultsOfBeforeDoNotTakeEachOthersPlace() {
        AnalysisState state;
        CurvesModel model(state);
        runOnce(state, model);
        const ui::RunCurvesHandle before = model.result();
        for (int attempt = 0; attempt < 20; ++attempt) {
            model.restore(before->run);
            model.run();
            QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning(), kPatienceMs);
            test::letPass(2);
            QVERIFY(!model.result()->isRestored);
            model.run();
            model.restore(before->run);
            QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning() && model.result()->isRestored, kPatienceMs);
            test::letPass(2);
            QVERIFY(model.result()->isRestored);
        }
    }

    /// Results whose settings were lost are shown, but nothing is measured with other settings.
    void resultsWithoutTheirSettingsAreNotMeasuredFurther() {
        AnalysisState state;
        CurvesModel model(state);
        runOnce(state, model);
        calibration::Run others = *model.result()->run;
        others.request.options.grid.lambdas = {0.5};
        QSignalSpy refined(&model, &CurvesModel::linesRefined);
        QSignalSpy shown(&model, &CurvesModel::resultChanged);
        model.restore(std::make_shared<const calibration::Run>(others));
        QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, kPatienceMs);
        QTRY_VERIFY(!model.refiner().isRunning());
        refined.clear();
        test::letPass(50);
        QCOMPARE(refined.count(), 0);
        QCOMPARE(model.result()->nw.size(), std::size_t{5});
    }

    /// What was cancelled is not begun again by itself.
    void cancellingTheMeasurementBetweenThePointsKeepsTheGrid() {
        AnalysisState state;
        CurvesModel model(state);
        QSignalSpy begun(&model.refiner(), &ui::JobRunnerBase::started);
        connect(&model.refiner(), &ui::JobRunnerBase::started, &model.refiner(),
                &ui::JobRunnerBase::drop);
        runOnce(state, model);
        QTRY_COMPARE_WITH_TIMEOUT(begun.count(), 1, kPatienceMs);
        QTRY_VERIFY(!model.refiner().isRunning());
        test::letPass(50);
        QCOMPARE(begun.count(), 1);
        QVERIFY(model.result()->responses.empty());
        QCOMPARE(model.result()->nw[0].line.size(), model.result()->nw[0].markers.size());
    }

    void nearestLambdaFollowsTheSetting() {
        AnalysisState state;
        CurvesModel model(state);
        QCOMPARE(model.nearestCurve(), -1);
        load(state, 40, 3);
        state.edit(&ui::AnalysisSettings::draws, 10);
        model.run();
        QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr, kPatienceMs);
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.8});
        QCOMPARE(model.nearestCurve(), 3);
        state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        QCOMPARE(model.nearestCurve(), 0);
    }

    void cancelKeepsFinishedWords() {
        AnalysisState state;
        CurvesModel model(state);
        load(state, 3'000, 20);
        state.edit(&ui::AnalysisSettings::draws, 200);
        state.edit(&ui::AnalysisSettings::words, {calibration::WordSelection::Kind::all, 0, {}});
        connect(&model, &CurvesModel::progressChanged, &model, [&model] {
            if (model.runner().fraction() > 0.15) {
                model.cancel();
            }
        });
        model.run();
        QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning(), 60'000);
        QVERIFY(model.result() != nullptr);
        QVERIFY(model.result()->summary().partial);
        const auto done = model.result()->summary().words;
        QVERIFY(done > 0 && done < 3'000);
        QVERIFY2(model.resultText().startsWith(QStringLiteral("partial: ")) &&
                     model.resultText().contains(QStringLiteral("of 3,000 words")),
                 qPrintable(model.resultText()));
        // The words that were measured are not those that a response would have.
        QVERIFY(model.result()->responses.empty());
    }
};

EPSILENS_UI_TEST(CurvesModelTest)
#include "curves_model_test.moc"
