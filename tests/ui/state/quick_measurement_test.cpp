#include "ui/state/quick_measurement.h"

#include <memory>

#include <QThread>

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
        // Nothing of another embedding stays, not even for a moment.
        open(state);
        QVERIFY(!measurement.result());
        QTRY_VERIFY(measurement.isCurrent());
    }

    void standsBackWhileAnAnswerIsWaitedFor() {
        AnalysisState state;
        JobBoard jobs;
        JobRunner<int> answer(QStringLiteral("answer"), [](const Result<int>&) {});
        jobs.putFirst(&answer);
        const QuickMeasurement measurement(state, jobs);
        answer.start([](const JobContext& job) -> Result<int> {
            while (!job.stopRequested()) {
                QThread::msleep(1);
            }
            return 0;
        });
        open(state);
        QTest::qWait(200);  // many rests of timers that hurry
        QVERIFY(!measurement.result());
        answer.cancel();
        QTRY_VERIFY(measurement.isCurrent());
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
