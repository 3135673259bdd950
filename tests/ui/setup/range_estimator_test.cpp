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

template <typename T>
Result<T> waitUntilStopped(const JobContext& job) {
    while (!job.stopRequested()) {
        QThread::msleep(1);
    }
    return fail(ErrorCode::cancelled, "cancelled");
}

/// A range that shows which lambda it was estimated for: 10 at lambda 0, 20 at lambda 1.
struct Fixture {
    explicit Fixture(decltype(LoadFunctions::epsilonRange) range = {}) {
        LoadFunctions functions;
        functions.epsilonRange =
            range ? range
                  : [](const engine::SearchSpace&, const calibration::CalibrationOptions& options,
                       const JobContext&) -> Result<engine::EpsilonRange> {
            const double suggested = 10.0 * (1.0 + options.grid.lambdas.front());
            return engine::EpsilonRange{suggested, 0.5 * suggested, 2.0 * suggested, 3};
        };
        jobs.putFirst(&answer);
        estimator = std::make_unique<RangeEstimator>(state, jobs, functions);
    }
    void load() {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    }
    void setLambda(double lambda) {
        state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
    }
    [[nodiscard]] double suggested() const { return state.epsilonScale().suggested; }

    AnalysisState state;
    JobBoard jobs;
    JobRunner<int> answer{QStringLiteral("answer"), [](const Result<int>&) {}};
    std::unique_ptr<RangeEstimator> estimator;
};

}  // namespace

class RangeEstimatorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rangeFollowsMechanismAndLambda() {
        Fixture f;
        f.load();
        QTRY_COMPARE(f.suggested(), 15.0);
        QCOMPARE(f.state.epsilon(), 15.0);
        f.setLambda(0.8);
        f.setLambda(1.0);
        QTRY_COMPARE(f.suggested(), 20.0);
        QCOMPARE(*f.state.epsilonScale().high, 40.0);
        QCOMPARE(f.state.epsilon(), 15.0);  // what lambdas are compared at stays
        f.state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_COMPARE(f.suggested(), 10.0);
    }

    void theRangeIsEstimatedWithTheSeedOfTheSettings() {
        std::atomic<std::uint64_t> seed = 0;
        Fixture f([&](const engine::SearchSpace&, const calibration::CalibrationOptions& options,
                      const JobContext&) -> Result<engine::EpsilonRange> {
            seed = options.seed;
            return engine::EpsilonRange{10.0, 5.0, 20.0, 3};
        });
        f.state.edit(&AnalysisSettings::seed, std::uint64_t{77});
        f.load();
        QTRY_COMPARE(seed.load(), std::uint64_t{77});
    }

    void anEstimateOfAnEarlierLambdaEndsAtOnce() {
        std::atomic<int> stopped = 0;
        Fixture f([&](const engine::SearchSpace&, const calibration::CalibrationOptions&,
                      const JobContext& job) {
            auto range = waitUntilStopped<engine::EpsilonRange>(job);
            ++stopped;
            return range;
        });
        f.load();
        f.answer.start(waitUntilStopped<int>);
        f.setLambda(1.0);
        QTRY_COMPARE(stopped.load(), 1);
        QVERIFY(f.answer.isRunning());
    }

    void standsBackWhileAnAnswerIsWaitedFor() {
        Fixture f;
        f.load();
        QTRY_COMPARE(f.suggested(), 15.0);
        f.answer.start(waitUntilStopped<int>);
        f.setLambda(1.0);
        test::letPass(kMuchLongerThanARestMs);
        QCOMPARE(f.suggested(), 15.0);
        f.answer.cancel();
        QTRY_COMPARE(f.suggested(), 20.0);
    }
};

EPSILENS_UI_TEST(RangeEstimatorTest)
#include "range_estimator_test.moc"
