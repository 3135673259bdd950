#include "ui/state/quick_measurement.h"

#include <atomic>
#include <memory>

#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"

using namespace epsilens;
using namespace epsilens::ui;

class QuickMeasurementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsByItselfAndFollowsTheSetting() {
        AnalysisState state;
        JobBoard jobs;
        const QuickMeasurement measurement(state, jobs);
        QVERIFY(!measurement.isToAskFor());
        open(state);
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->words().size(), std::size_t{40});
        // Every epsilon is measured already.
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        QVERIFY(measurement.isCurrent());
        const auto before = measurement.result();
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        QVERIFY(!measurement.isCurrent());
        QVERIFY(measurement.result() == before);
        QTRY_VERIFY(measurement.isCurrent());
        QVERIFY(measurement.result()->options().mechanism == state.mechanism());
        state.edit(&AnalysisSettings::seed, state.seed() + 1);
        QVERIFY(!measurement.isCurrent());
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->options().seed, state.seed());
        // Nothing of another embedding stays, not even for a moment.
        open(state);
        QVERIFY(!measurement.result());
        QTRY_VERIFY(measurement.isCurrent());
    }

    /// So that a report and the dial judge by the same words.
    void measuresTheWordsOfARunAsLongAsTheSettingsAskForThem() {
        AnalysisState state;
        JobBoard jobs;
        QuickMeasurement measurement(state, jobs);
        open(state);
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.wordsText(), QStringLiteral("40 words"));
        const calibration::WordSelection some{calibration::WordSelection::Kind::list, 0, {1, 5, 7}};
        state.edit(&AnalysisSettings::words, some);
        QVERIFY(measurement.isCurrent());  // before a run it is as good
        measurement.followWords(some);
        QVERIFY(!measurement.isCurrent());
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->words().size(), std::size_t{3});
        QCOMPARE(measurement.wordsText(), QStringLiteral("3 words"));
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {2}});
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->words().size(), std::size_t{40});
    }

    void fallsBackWhereTheWordsOfARunTakeTooMuch() {
        AnalysisState state;
        JobBoard jobs;
        QuickMeasurement measurement(
            state, jobs,
            [](const engine::SearchSpace& space, const calibration::MeasurementOptions& options,
               const JobContext& job) -> Result<calibration::MeasurementHandle> {
                if (options.words.kind == calibration::WordSelection::Kind::list) {
                    return fail(ErrorCode::resourceLimit, "too much");
                }
                return calibration::measure(space, options, job);
            });
        open(state);
        state.edit(&AnalysisSettings::words,
                   {calibration::WordSelection::Kind::list, 0, {1, 2, 3}});
        measurement.followWords(state.words());
        QTRY_VERIFY(measurement.isCurrent());
        QVERIFY(measurement.problem().isEmpty());
        QCOMPARE(measurement.result()->words().size(), std::size_t{40});
        measurement.measureWordsOfRuns();
        QVERIFY(measurement.isCurrent());
    }

    void standsBackWhileAnAnswerIsWaitedFor() {
        AnalysisState state;
        JobBoard jobs;
        JobRunner<int> answer(QStringLiteral("answer"), [](const Result<int>&) {});
        jobs.putFirst(&answer);
        const QuickMeasurement measurement(state, jobs);
        answer.start(test::untilStopped);
        open(state);
        test::letPass(200);  // many rests of timers that hurry
        QVERIFY(!measurement.result());
        answer.cancel();
        QTRY_VERIFY(measurement.isCurrent());
    }

    /// Else it takes the cores from what the analyst waits for.
    void oneOfEarlierSettingsEndsAtOnce() {
        AnalysisState state;
        JobBoard jobs;
        std::atomic<int> started = 0;
        std::atomic<int> stopped = 0;
        const QuickMeasurement measurement(
            state, jobs,
            [&](const engine::SearchSpace&, const calibration::MeasurementOptions&,
                const JobContext& job) -> Result<calibration::MeasurementHandle> {
                ++started;
                const auto end = test::untilStopped(job);
                ++stopped;
                return fail(end.error().code, end.error().message);
            });
        open(state);
        QTRY_COMPARE(started.load(), 1);
        JobRunner<int> answer(QStringLiteral("answer"), [](const Result<int>&) {});
        jobs.putFirst(&answer);
        answer.start(test::untilStopped);
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);  // measured by the same
        test::letPass(20);
        QCOMPARE(stopped.load(), 0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        QTRY_COMPARE(stopped.load(), 1);
        QVERIFY(answer.isRunning());
        QCOMPARE(started.load(), 1);
        answer.cancel();
        QTRY_COMPARE(started.load(), 2);
    }

    void oneThatWasCancelledCanBeAskedFor() {
        AnalysisState state;
        JobBoard jobs;
        QuickMeasurement measurement(state, jobs);
        bool wasCancelled = false;
        connect(&measurement, &QuickMeasurement::changed, this, [&] {
            if (measurement.isRunning() && !wasCancelled) {
                wasCancelled = true;
                jobs.cancelAll();
            }
        });
        open(state);
        QTRY_VERIFY(wasCancelled && !measurement.isRunning());
        if (!measurement.isCurrent()) {  // it may have been done before it was told to stop
            QVERIFY(measurement.isToAskFor());
            measurement.measure();
            QVERIFY(!measurement.isToAskFor());
            QTRY_VERIFY(measurement.isCurrent());
        }
    }

private:
    static void open(AnalysisState& state) {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    }
};

EPSILENS_UI_TEST(QuickMeasurementTest)
#include "quick_measurement_test.moc"
