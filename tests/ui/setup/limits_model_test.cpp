#include "ui/setup/limits_model.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include <QSignalSpy>
#include <QThread>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

void openToy(AnalysisState& state) {
    const auto embedding = test::toyEmbedding();
    state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::all, 0, {}});
    state.edit(&AnalysisSettings::draws, 40);
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
}

}  // namespace

class LimitsModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void needsAnEmbeddingAndALimit() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitsModel model(state, limits, jobs);
        QVERIFY(model.obstacle().contains(QStringLiteral("embedding")));
        model.findEpsilon();
        QVERIFY(!model.isSearching());
        openToy(state);
        QVERIFY(model.obstacle().isEmpty());
        state.edit(&AnalysisSettings::limits, {});
        QVERIFY(model.obstacle().contains(QStringLiteral("no limit")));
    }

    void measuringStandsBackWhileAnAnswerIsWaitedFor() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        JobRunner<int> answer(QStringLiteral("answer"), [](const Result<int>&) {});
        jobs.putFirst(&answer);
        const LimitsModel model(state, limits, jobs);
        answer.start([](const JobContext& job) -> Result<int> {
            while (!job.stopRequested()) {
                QThread::msleep(1);
            }
            return 0;
        });
        openToy(state);
        QTest::qWait(200);  // five rests of timers that hurry
        QVERIFY(!limits.status().isKnown);
        answer.cancel();
        QTRY_VERIFY(limits.status().isKnown);
    }

    void saysWhatASearchTakesBeforeIt() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitsModel model(state, limits, jobs);
        openToy(state);
        state.edit(&AnalysisSettings::draws, 30);
        QVERIFY(model.costText().isEmpty());
        QTRY_COMPARE(model.costText(), QStringLiteral("40 words × 30 draws, under 1 s"));
        state.edit(&AnalysisSettings::draws, 31);
        QVERIFY(model.costText().isEmpty());
    }

    // The same search as the command line's, at the present lambda alone.
    void setsTheEpsilonThatCoreRecommends() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitsModel model(state, limits, jobs);
        openToy(state);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        state.edit(&AnalysisSettings::limits, {calibration::parseLimit("nw.p95<=60%").value()});
        calibration::RecommendationOptions options;
        options.calibration = presentSetting(state);
        QVERIFY(options.calibration.grid.lambdas == std::vector<double>{0.25});
        options.limits = state.limits();
        const auto expected = calibration::recommend(*state.searchSpace(), options).value();
        model.findEpsilon();
        QVERIFY(model.isSearching());
        QCOMPARE(jobs.runningCount(), 1);
        QTRY_VERIFY(!model.isSearching());
        QCOMPARE(state.epsilon(), *expected.settings.front().epsilon);
        QVERIFY(!model.isFailure());
        QVERIFY(model.message().contains(QStringLiteral("Just above: N_w, 95th percentile")));
        QCOMPARE(limitStatusText(limits.status()), QStringLiteral("limits 1/1 ✓"));
        // Another epsilon: what was found is no longer said, and is measured anew.
        state.edit(&AnalysisSettings::chooseEpsilon, 2.0 * state.epsilon());
        QVERIFY(model.message().isEmpty());
        QVERIFY(!limits.status().isKnown);
        QTRY_COMPARE(limitStatusText(limits.status()), QStringLiteral("limits 0/1 ✗"));
    }

    void saysWhichLimitFailsAndByHowMuch() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitsModel model(state, limits, jobs);
        openToy(state);
        const double before = state.epsilon();
        state.edit(&AnalysisSettings::limits, {calibration::parseLimit("sw.mean>=41").value()});
        model.findEpsilon();
        QTRY_VERIFY(!model.isSearching());
        QVERIFY(model.isFailure());
        QVERIFY(model.message().contains(QStringLiteral("No ε meets all limits")));
        QVERIFY(model.message().contains(QStringLiteral("S_w, mean: at least 41; is ")));
        QVERIFY(model.message().contains(QStringLiteral("beyond the limit by")));
        QCOMPARE(state.epsilon(), before);
    }

    void aRunThatHasTheSettingTellsItsStatus() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitFunctions functions;
        std::atomic<int> measured = 0;
        functions.calibrate = [&measured](const auto&, const auto&, const auto&) {
            ++measured;
            return Result<calibration::CalibrationSummary>(
                fail(ErrorCode::resourceLimit, "too long to measure unasked"));
        };
        LimitsModel model(state, limits, jobs, functions);
        openToy(state);
        QTRY_COMPARE(measured.load(), 1);
        QVERIFY(!limits.status().isKnown);
        // The grid of a run as Curves makes it, with other settings beside the present one.
        calibration::CalibrationOptions options = state.calibrationOptions();
        options.grid.epsilons = {0.5 * state.epsilon(), state.epsilon()};
        options.grid.lambdas = {state.mechanism().lambda()};
        auto summary = calibration::calibrate(*state.searchSpace(), options);
        QVERIFY(summary.has_value());
        const auto expected =
            calibration::checkLimits(state.limits(), summary->cells.back(), summary->draws);
        QVERIFY(expected.has_value());
        const auto met = std::count_if(expected->begin(), expected->end(),
                                       [](const auto& check) { return check.met(); });
        calibration::Run run;
        run.request.options = options;
        run.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(*summary));
        model.setRun(std::make_shared<const calibration::Run>(std::move(run)));
        QTRY_VERIFY(limits.status().isKnown);
        QCOMPARE(limits.status().met, static_cast<int>(met));
        QCOMPARE(measured.load(), 1);
        // Of other draws, or another epsilon, it tells nothing.
        state.edit(&AnalysisSettings::seed, state.seed() + 1);
        QTRY_COMPARE(measured.load(), 2);
        QVERIFY(!limits.status().isKnown);
    }

    void aLimitOnWordsInCommonTakesIndependentDraws() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitsModel model(state, limits, jobs);
        openToy(state);
        state.edit(&AnalysisSettings::limits, {calibration::parseLimit("kw.mean>=2").value()});
        model.findEpsilon();
        QTRY_VERIFY(!model.isSearching());
        QVERIFY(!model.isFailure());
    }

    void aSearchCanBeCancelledAndSettingsEndIt() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitFunctions functions;
        functions.recommend = [](const engine::SearchSpace&,
                                 const calibration::RecommendationOptions&,
                                 const JobContext& job) -> Result<calibration::Recommendation> {
            while (!job.stopRequested()) {
                QThread::msleep(1);
            }
            return fail(ErrorCode::cancelled, "cancelled");
        };
        LimitsModel model(state, limits, jobs, functions);
        openToy(state);
        model.findEpsilon();
        QVERIFY(model.isSearching());
        model.cancel();
        QTRY_VERIFY(!model.isSearching());
        QVERIFY(model.message().isEmpty());
        model.findEpsilon();
        state.edit(&AnalysisSettings::draws, 77);
        QTRY_VERIFY(!model.isSearching());
    }

    void failuresOfTheCoreAreSaid() {
        AnalysisState state;
        LimitState limits(state);
        JobBoard jobs;
        LimitFunctions functions;
        functions.recommend = [](const engine::SearchSpace&,
                                 const calibration::RecommendationOptions&,
                                 const JobContext&) -> Result<calibration::Recommendation> {
            return fail(ErrorCode::resourceLimit, "too many words");
        };
        LimitsModel model(state, limits, jobs, functions);
        openToy(state);
        model.findEpsilon();
        QTRY_VERIFY(!model.isSearching());
        QVERIFY(model.isFailure());
        QCOMPARE(model.message(), QStringLiteral("too many words"));
    }
};

EPSILENS_UI_TEST(LimitsModelTest)
#include "limits_model_test.moc"
