#include "ui/state/job_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <sys/resource.h>

#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::JobRunner;

namespace {

/// Counts up until it is stopped and returns how far it came: a job with a partial result.
Result<int> countUntilStopped(const JobContext& job) {
    int counted = 0;
    while (!job.stopRequested()) {
        ++counted;
        job.progress(0.5, "counting");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return counted;
}

}  // namespace

class JobRunnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_result.reset();
        m_calls = 0;
    }

    void deliversTheResultOnTheCallersThread() {
        const auto* here = QThread::currentThread();
        const QThread* jobThread = nullptr;
        const QThread* doneThread = nullptr;
        JobRunner<int> runner(QStringLiteral("test"), [&](Result<int> result) {
            doneThread = QThread::currentThread();
            m_result = std::move(result);
        });
        runner.start([&](const JobContext&) -> Result<int> {
            jobThread = QThread::currentThread();
            return 42;
        });
        QVERIFY(runner.isRunning());
        QTRY_VERIFY(m_result.has_value());
        QCOMPARE(m_result->value(), 42);
        QVERIFY(jobThread != here);
        QVERIFY(doneThread == here);
        QVERIFY(!runner.isRunning());
    }

    /// So that what moves under the pointer does not wait for what is being computed.
    void jobsStandBehindTheWindow() {
        constexpr int kLeast = 19;
        const int here = getpriority(PRIO_PROCESS, 0);
        const int behind = std::min(here + 3, kLeast);
        JobRunner<int> runner(QStringLiteral("test"),
                              [&](Result<int> result) { m_result = std::move(result); });
        runner.start(
            [&](const JobContext&) -> Result<int> { return getpriority(PRIO_PROCESS, 0); });
        QTRY_VERIFY(m_result.has_value());
        QCOMPARE(m_result->value(), behind);
        QCOMPARE(getpriority(PRIO_PROCESS, 0), here);
        {
            // Waiting for a job that has not begun may run it on this thread.
            JobRunner<int> unfinished(QStringLiteral("test"), [](const Result<int>&) {});
            unfinished.start([](const JobContext&) -> Result<int> { return 1; });
        }
        QCOMPARE(getpriority(PRIO_PROCESS, 0), here);
    }

    void exceptionsBecomeErrors() {
        auto runner = makeRunner();
        runner->start([](const JobContext&) -> Result<int> { throw std::runtime_error("boom"); });
        QTRY_VERIFY(m_result.has_value());
        QCOMPARE(m_result->error().message, std::string("boom"));
        QVERIFY(m_result->error().code == ErrorCode::internal);
        m_result.reset();
        runner->start([](const JobContext&) -> Result<int> { throw std::bad_alloc(); });
        QTRY_VERIFY(m_result.has_value());
        QVERIFY(m_result->error().code == ErrorCode::resourceLimit);
    }

    void cancelKeepsThePartialResult() {
        auto runner = makeRunner();
        const QSignalSpy progress(runner.get(), &ui::JobRunnerBase::progressChanged);
        runner->start(countUntilStopped);
        QTRY_VERIFY(progress.count() > 0);
        QTRY_COMPARE(runner->stage(), QStringLiteral("counting"));
        QTRY_COMPARE(runner->fraction(), 0.5);
        runner->cancel();
        QTRY_VERIFY(m_result.has_value());
        QVERIFY(m_result->value() > 0);
    }

    void newestRequestWins() {
        auto runner = makeRunner();
        const QSignalSpy started(runner.get(), &ui::JobRunnerBase::started);
        const QSignalSpy finished(runner.get(), &ui::JobRunnerBase::finished);
        runner->start(countUntilStopped);
        runner->start([](const JobContext&) -> Result<int> { return -2; });
        runner->start([](const JobContext&) -> Result<int> { return -3; });
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(m_calls, 1);  // neither the stopped run nor the overtaken request is delivered
        QCOMPARE(m_result->value(), -3);
        QCOMPARE(started.count(), 2);
    }

    void cancelAfterANewerRequestDeliversCancelledOnce() {
        auto runner = makeRunner();
        runner->start(countUntilStopped);
        runner->start([](const JobContext&) -> Result<int> { return 5; });
        runner->cancel();
        QTRY_VERIFY(m_result.has_value());
        QVERIFY(!m_result->has_value());
        QVERIFY(m_result->error().code == ErrorCode::cancelled);
        QCOMPARE(m_calls, 1);
    }

    /// Its work may even have ended: what matters is that the answer has not arrived.
    void aDroppedAnswerIsNotDelivered() {
        auto runner = makeRunner();
        std::atomic<bool> ended{false};
        runner->start([&](const JobContext&) -> Result<int> {
            ended = true;
            return 42;
        });
        while (!ended) {
            std::this_thread::yield();
        }
        runner->drop();
        QTRY_VERIFY(m_result.has_value());
        QVERIFY(!m_result->has_value());
        QVERIFY(m_result->error().code == ErrorCode::cancelled);
        m_result.reset();
        runner->start([](const JobContext&) -> Result<int> { return 43; });
        QTRY_VERIFY(m_result.has_value());
        QCOMPARE(m_result->value(), 43);
    }

    void destructorStopsAndWaits() {
        std::atomic<bool> running{false};
        std::atomic<bool> ended{false};
        auto runner = makeRunner();
        runner->start([&](const JobContext& job) -> Result<int> {
            running = true;
            auto result = countUntilStopped(job);
            ended = true;
            return result;
        });
        QTRY_VERIFY(running.load());
        runner.reset();
        QVERIFY(ended.load());
        test::letPass(20);
        QCOMPARE(m_calls, 0);
    }

    /// Whoever has waited may count on the end of what the work held, however long that takes.
    void destructorWaitsForTheEndOfWhatTheWorkHeld() {
        std::atomic<bool> running{false};
        std::atomic<bool> gone{false};
        auto runner = makeRunner();
        runner->start([&running, held = std::shared_ptr<void>(nullptr, [&gone](void*) {
                                     std::this_thread::sleep_for(std::chrono::milliseconds(50));
                                     gone = true;
                                 })](const JobContext& job) -> Result<int> {
            running = true;
            return countUntilStopped(job);
        });
        QTRY_VERIFY(running.load());
        runner.reset();
        QVERIFY(gone.load());
    }

    void resultsAreMovedNotCopied() {
        std::unique_ptr<int> received;
        JobRunner<std::unique_ptr<int>> runner(
            QStringLiteral("test"),
            [&](Result<std::unique_ptr<int>> result) { received = std::move(result.value()); });
        runner.start([](const JobContext&) -> Result<std::unique_ptr<int>> {
            return std::make_unique<int>(7);
        });
        QTRY_VERIFY(received != nullptr);
        QCOMPARE(*received, 7);
    }

    void manyShortRunsInARowAllAnswer() {
        int last = 0;
        std::unique_ptr<JobRunner<int>> runner;
        runner = std::make_unique<JobRunner<int>>(QStringLiteral("test"), [&](Result<int> result) {
            last = result.value();
            if (last < 2000) {
                runner->start([next = last + 1](const JobContext&) -> Result<int> { return next; });
            }
        });
        const QSignalSpy finished(runner.get(), &ui::JobRunnerBase::finished);
        runner->start([](const JobContext&) -> Result<int> { return 1; });
        QTRY_COMPARE_WITH_TIMEOUT(last, 2000, 60000);
        QCOMPARE(finished.count(), 1);
    }

    void anEvenJobIsForetold() {
        ui::Pace pace;
        pace.goOn(1.0, 0.01);
        QVERIFY(!pace.secondsLeft(1.0));
        pace.goOn(5.0, 0.05);
        QVERIFY(std::abs(*pace.secondsLeft(5.0) - 95.0) < 1e-9);
        // It goes on between two reports.
        QVERIFY(std::abs(*pace.secondsLeft(7.0) - 93.0) < 1e-9);
    }

    /// Ten parts, of which each takes another time: 2 and 18 seconds in turn, 100 in all.
    void partsOfOtherCostDoNotLetItJump() {
        ui::Pace pace;
        double elapsed = 0.0;
        double before = 0.0;
        double mostRise = 0.0;
        double farthest = 0.0;
        for (int part = 0; part < 10; ++part) {
            const double takes = part % 2 == 0 ? 2.0 : 18.0;
            for (int tenth = 1; tenth <= 10; ++tenth) {
                elapsed += takes / 10.0;
                pace.goOn(elapsed, (part + tenth / 10.0) / 10.0);
                const auto left = pace.secondsLeft(elapsed);
                if (part >= 2 && left) {
                    mostRise = std::max(mostRise, *left - before);
                    farthest = std::max(farthest, std::abs(*left - (100.0 - elapsed)));
                }
                before = left.value_or(0.0);
            }
        }
        // By the share alone it rises by 13 s within a part.
        QVERIFY2(mostRise < 2.0, qPrintable(QString::number(mostRise)));
        QVERIFY2(farthest < 35.0, qPrintable(QString::number(farthest)));
    }

    void aJobThatOverrunsIsNotOver() {
        ui::Pace pace;
        pace.goOn(50.0, 0.5);
        QVERIFY(*pace.secondsLeft(120.0) >= 60.0);
    }

private:
    std::unique_ptr<JobRunner<int>> makeRunner() {
        return std::make_unique<JobRunner<int>>(QStringLiteral("test"), [this](Result<int> result) {
            ++m_calls;
            m_result = std::move(result);
        });
    }

    std::optional<Result<int>> m_result;
    int m_calls = 0;
};

EPSILENS_UI_TEST(JobRunnerTest)
#include "job_runner_test.moc"
