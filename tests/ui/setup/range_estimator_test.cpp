#include "ui/setup/range_estimator.h"

#include <atomic>
#include <cstdint>

#include <QThread>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr int kMuchLongerThanARestMs = 200;  // 40 ms where timers hurry

// A range that shows which lambda it was estimated for: 10 at lambda 0, 20 at lambda 1.
LoadFunctions rangeByLambda() {
    LoadFunctions functions;
    functions.epsilonRange = [](const engine::SearchSpace&,
                                const calibration::CalibrationOptions& options,
                                const JobContext&) -> Result<engine::EpsilonRange> {
        const double suggested = 10.0 * (1.0 + options.grid.lambdas.front());
        return engine::EpsilonRange{suggested, 0.5 * suggested, 2.0 * suggested, 3};
    };
    return functions;
}

}  // namespace

class RangeEstimatorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rangeFollowsMechanismAndLambda() {
        AnalysisState state;
        JobBoard jobs;
        const RangeEstimator estimator(state, jobs, rangeByLambda());
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QTRY_COMPARE(state.epsilonScale().suggested, 15.0);
        QCOMPARE(state.epsilon(), 15.0);

        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.8});
        state.edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        QTRY_COMPARE(state.epsilonScale().suggested, 20.0);
        QCOMPARE(*state.epsilonScale().high, 40.0);
        QCOMPARE(state.epsilon(), 15.0);  // what lambdas are compared at stays

        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_COMPARE(state.epsilonScale().suggested, 10.0);
    }

    void theRangeIsEstimatedWithTheSeedOfTheSettings() {
        AnalysisState state;
        JobBoard jobs;
        std::atomic<std::uint64_t> seed = 0;
        LoadFunctions functions;
        functions.epsilonRange = [&](const engine::SearchSpace&,
                                     const calibration::CalibrationOptions& options,
                                     const JobContext&) -> Result<engine::EpsilonRange> {
            seed = options.seed;
            return engine::EpsilonRange{10.0, 5.0, 20.0, 3};
        };
        const RangeEstimator estimator(state, jobs, functions);
        state.edit(&AnalysisSettings::seed, std::uint64_t{77});
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QTRY_COMPARE(seed.load(), std::uint64_t{77});
    }

    void anEstimateOfAnEarlierLambdaEndsAtOnce() {
        AnalysisState state;
        JobBoard jobs;
        std::atomic<int> stopped = 0;
        LoadFunctions functions;
        functions.epsilonRange = [&](const engine::SearchSpace&,
                                     const calibration::CalibrationOptions&,
                                     const JobContext& job) -> Result<engine::EpsilonRange> {
            while (!job.stopRequested()) {
                QThread::msleep(1);
            }
            ++stopped;
            return fail(ErrorCode::cancelled, "cancelled");
        };
        JobRunner<int> answer(QStringLiteral("answer"), [](const Result<int>&) {});
        jobs.putFirst(&answer);
        const RangeEstimator estimator(state, jobs, functions);
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        answer.start([](const JobContext& job) -> Result<int> {
            while (!job.stopRequested()) {
                QThread::msleep(1);
            }
            return 0;
        });
        state.edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        QTRY_COMPARE(stopped.load(), 1);
        QVERIFY(answer.isRunning());
        answer.cancel();
    }

    void standsBackWhileAnAnswerIsWaitedFor() {
        AnalysisState state;
        JobBoard jobs;
        JobRunner<int> answer(QStringLiteral("answer"), [](const Result<int>&) {});
        jobs.putFirst(&answer);
        const RangeEstimator estimator(state, jobs, rangeByLambda());
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QTRY_COMPARE(state.epsilonScale().suggested, 15.0);
        answer.start([](const JobContext& job) -> Result<int> {
            while (!job.stopRequested()) {
                QThread::msleep(1);
            }
            return 0;
        });
        state.edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        test::letPass(kMuchLongerThanARestMs);
        QCOMPARE(state.epsilonScale().suggested, 15.0);
        answer.cancel();
        QTRY_COMPARE(state.epsilonScale().suggested, 20.0);
    }
};

EPSILENS_UI_TEST(RangeEstimatorTest)
#include "range_estimator_test.moc"
