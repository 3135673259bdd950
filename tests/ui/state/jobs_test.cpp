#include "ui/state/job_runner.h"
#include "ui/state/query.h"

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

#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace std::chrono_literals;

namespace {

/// Counts up until it is stopped and returns how far it came: a job with a partial result.
Result<int> countUntilStopped(const JobContext& job) {
    int counted = 0;
    while (!job.stopRequested()) {
        ++counted;
        job.progress(0.5, "counting");
        std::this_thread::sleep_for(1ms);
    }
    return counted;
}

/// Squares of a number that is set; a value of 10 or more is made until it is let go.
struct Squares {
    std::optional<int> number = 3;
    std::atomic<int> made = 0;
    std::atomic<bool> isHeld = true;
    bool isQuick = false;
    bool isWorthFinishing = false;
    Query<int, int> query{
        {.title = "Squaring",
         .key = [this] { return number; },
         .make = [this](const int& key, const JobContext& job) -> Result<int> {
             ++made;
             while (key >= 10 && isHeld && !job.stopRequested()) {
                 std::this_thread::sleep_for(1ms);
             }
             if (key >= 10 && job.stopRequested()) {
                 return fail(ErrorCode::cancelled, "cancelled");
             }
             if (key < 0) {
                 return fail(ErrorCode::invalidArgument, "negative");
             }
             return key * key;
         },
         .isQuick = [this](const int&) { return isQuick; },
         .isWorthFinishing = [this](const int&, const int&) { return isWorthFinishing; }}};

    void set(std::optional<int> next) {
        number = next;
        query.update();
    }
    [[nodiscard]] bool shows(int value) const {
        return query.current() != nullptr && *query.current() == value;
    }
};

}  // namespace

class JobRunnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_calls = 0;
        m_runner = std::make_unique<JobRunner<int>>("test", [this](Result<int> result) {
            ++m_calls;
            m_doneThread = QThread::currentThread();
            m_result = std::move(result);
        });
    }
    void cleanup() { m_runner.reset(); }

    void deliversTheResultOnTheCallersThread() {
        const QThread* jobThread = nullptr;
        m_runner->start([&](const JobContext&) -> Result<int> {
            jobThread = QThread::currentThread();
            return 42;
        });
        QVERIFY(m_runner->isRunning());
        QCOMPARE(result().value(), 42);
        QVERIFY(jobThread != QThread::currentThread());
        QVERIFY(m_doneThread == QThread::currentThread());
        QVERIFY(!m_runner->isRunning());
    }

    void jobsStandBehindTheWindow() {
        constexpr int kLeast = 19;
        const int here = getpriority(PRIO_PROCESS, 0);
        m_runner->start(
            [](const JobContext&) -> Result<int> { return getpriority(PRIO_PROCESS, 0); });
        QCOMPARE(result().value(), std::min(here + 3, kLeast));
        QCOMPARE(getpriority(PRIO_PROCESS, 0), here);
        // Waiting for a job that has not begun may run it on this thread.
        startGiving(1);
        m_runner.reset();
        QCOMPARE(getpriority(PRIO_PROCESS, 0), here);
    }

    void exceptionsBecomeErrors() {
        m_runner->start([](const JobContext&) -> Result<int> { throw std::runtime_error("boom"); });
        const Error boom = result().error();
        QCOMPARE(boom.message, "boom");
        QVERIFY(boom.code == ErrorCode::internal);
        m_runner->start([](const JobContext&) -> Result<int> { throw std::bad_alloc(); });
        QVERIFY(result().error().code == ErrorCode::resourceLimit);
    }

    void cancelKeepsThePartialResult() {
        const QSignalSpy progress(m_runner.get(), &JobRunnerBase::progressChanged);
        m_runner->start(countUntilStopped);
        QTRY_VERIFY(progress.count() > 0);
        QTRY_COMPARE(m_runner->stage(), "counting");
        QTRY_COMPARE(m_runner->fraction(), 0.5);
        m_runner->cancel();
        QVERIFY(result().value() > 0);
    }

    void newestRequestWins() {
        const QSignalSpy started(m_runner.get(), &JobRunnerBase::started);
        const QSignalSpy finished(m_runner.get(), &JobRunnerBase::finished);
        m_runner->start(countUntilStopped);
        startGiving(-2);
        startGiving(-3);
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(result().value(), -3);
        QCOMPARE(m_calls, 1);  // neither the stopped run nor the overtaken request is delivered
        QCOMPARE(started.count(), 2);
    }

    void cancelAfterANewerRequestDeliversCancelledOnce() {
        m_runner->start(countUntilStopped);
        startGiving(5);
        m_runner->cancel();
        QVERIFY(isCancelled());
        QCOMPARE(m_calls, 1);
    }

    /// Its work may even have ended: what matters is that the answer has not arrived.
    void aDroppedAnswerIsNotDelivered() {
        startGiving(42);
        QVERIFY(jobPool()->waitForDone(test::kPatienceMs));
        m_runner->drop();
        QVERIFY(isCancelled());
        startGiving(43);
        QCOMPARE(result().value(), 43);
    }

    /// Whoever has waited may count on the end of the work and of what it held, however long that
    /// takes.
    void destructorStopsAndWaits() {
        std::atomic<bool> running{false};
        std::atomic<bool> ended{false};
        std::atomic<bool> gone{false};
        m_runner->start([&running, &ended, held = std::shared_ptr<void>(nullptr, [&gone](void*) {
                                               std::this_thread::sleep_for(50ms);
                                               gone = true;
                                           })](const JobContext& job) {
            running = true;
            auto result = countUntilStopped(job);
            ended = true;
            return result;
        });
        QTRY_VERIFY(running.load());
        m_runner.reset();
        QVERIFY(ended && gone);
        test::letPass(20);
        QCOMPARE(m_calls, 0);
    }

    void resultsAreMovedNotCopied() {
        std::unique_ptr<int> received;
        JobRunner<std::unique_ptr<int>> runner("test", [&](Result<std::unique_ptr<int>> result) {
            received = std::move(result.value());
        });
        runner.start([](const JobContext&) -> Result<std::unique_ptr<int>> {
            return std::make_unique<int>(7);
        });
        QTRY_VERIFY(received != nullptr);
        QCOMPARE(*received, 7);
    }

    void manyShortRunsInARowAllAnswer() {
        int last = 0;
        std::unique_ptr<JobRunner<int>> runner;
        runner = std::make_unique<JobRunner<int>>("test", [&](Result<int> result) {
            last = result.value();
            if (last < 2000) {
                runner->start([next = last + 1](const JobContext&) -> Result<int> { return next; });
            }
        });
        const QSignalSpy finished(runner.get(), &JobRunnerBase::finished);
        runner->start([](const JobContext&) -> Result<int> { return 1; });
        QTRY_COMPARE_WITH_TIMEOUT(last, 2000, 60000);
        QCOMPARE(finished.count(), 1);
    }

    void anEvenJobIsForetold() {
        EtaEstimator eta;
        eta.update(1.0, 0.01);
        QVERIFY(!eta.secondsLeft(1.0));
        eta.update(5.0, 0.05);
        QVERIFY(std::abs(*eta.secondsLeft(5.0) - 95.0) < 1e-9);
        // It goes on between two reports.
        QVERIFY(std::abs(*eta.secondsLeft(7.0) - 93.0) < 1e-9);
        // A job that overruns is not over.
        eta = {};
        eta.update(50.0, 0.5);
        QVERIFY(*eta.secondsLeft(120.0) >= 60.0);
    }

    /// Ten parts, of which each takes another time: 2 and 18 seconds in turn, 100 in all.
    void partsOfOtherCostDoNotLetItJump() {
        EtaEstimator eta;
        double elapsed = 0.0;
        double before = 0.0;
        double mostRise = 0.0;
        double farthest = 0.0;
        for (int part = 0; part < 10; ++part) {
            const double takes = part % 2 == 0 ? 2.0 : 18.0;
            for (int tenth = 1; tenth <= 10; ++tenth) {
                elapsed += takes / 10.0;
                eta.update(elapsed, (part + tenth / 10.0) / 10.0);
                const auto left = eta.secondsLeft(elapsed);
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

private:
    void startGiving(int answer) {
        m_runner->start([answer](const JobContext&) -> Result<int> { return answer; });
    }
    /// The next answer, once it is there.
    Result<int> result() {
        test::handleEventsUntil([this] { return m_result.has_value(); });
        return *std::exchange(m_result, std::nullopt);
    }
    bool isCancelled() {
        const Result<int> answer = result();
        return !answer && answer.error().code == ErrorCode::cancelled;
    }

    std::unique_ptr<JobRunner<int>> m_runner;
    std::optional<Result<int>> m_result;
    const QThread* m_doneThread = nullptr;
    int m_calls = 0;
};

class JobBoardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsTheJobThatStartedFirstAndCancelsAll() {
        JobBoard board;
        JobRunner<int> first("first", [](const Result<int>&) {});
        auto second = std::make_unique<JobRunner<int>>("second", [](const Result<int>&) {});
        board.watch(&first);
        board.watch(second.get());
        QVERIFY(board.foremost() == nullptr);
        first.start(test::untilStopped);
        second->start(test::untilStopped);
        QCOMPARE(board.foremost()->title(), "first");
        QCOMPARE(board.runningCount(), 2);
        // One that is destroyed while it runs is forgotten.
        second.reset();
        QCOMPARE(board.runningCount(), 1);
        board.cancelAll();
        QTRY_COMPARE(board.runningCount(), 0);
        QVERIFY(board.foremost() == nullptr);
    }

    void knowsWhetherAnAnswerIsWaitedFor() {
        JobBoard board;
        auto runner = std::make_unique<JobRunner<int>>("answer", [](const Result<int>&) {});
        board.setInteractive(runner.get());
        QVERIFY(!board.hasInteractiveJob());
        runner->start(test::untilStopped);
        QVERIFY(board.hasInteractiveJob());
        QCOMPARE(board.runningCount(), 0);  // a short job, which is not shown
        runner->cancel();
        QTRY_VERIFY(!board.hasInteractiveJob());
        runner.reset();
        QVERIFY(!board.hasInteractiveJob());
    }
};

class QueryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void makesTheValueOfItsKeyOnce() {
        Squares squares;
        const QSignalSpy changed(&squares.query, &QueryBase::changed);
        QVERIFY(squares.query.current() == nullptr && squares.query.last() == nullptr);
        squares.query.update();
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        squares.query.update();
        QVERIFY(!squares.query.job().isRunning());
        QCOMPARE(squares.made.load(), 1);
        QCOMPARE(changed.count(), 1);
    }

    void aValueNeverPassesForThatOfAnotherKey() {
        Squares squares;
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        // Even before the query is told.
        squares.number = 10;
        QVERIFY(squares.query.current() == nullptr);
        squares.query.update();
        QVERIFY(squares.query.current() == nullptr);
        QCOMPARE(*squares.query.last(), 9);
        // The first value is still there, and what is not wanted any more is stopped.
        squares.set(3);
        QVERIFY(squares.shows(9));
        QTRY_VERIFY(!squares.query.job().isRunning());
        QVERIFY(squares.shows(9));
    }

    void theNewestKeyWins() {
        Squares squares;
        squares.set(10);
        squares.set(11);
        squares.set(4);
        QTRY_VERIFY(squares.shows(16));
        QVERIFY(!squares.query.job().isRunning());
        // Back to a key whose job is being stopped: it is made after all.
        squares.set(10);
        squares.set(4);
        squares.set(10);
        squares.isHeld = false;
        QTRY_VERIFY(squares.shows(100));
    }

    void aJobThatIsWorthItGoesOnBeforeTheNewestOne() {
        Squares squares;
        squares.isWorthFinishing = true;
        const QSignalSpy changed(&squares.query, &QueryBase::changed);
        for (const int number : {10, 11, 12}) {
            squares.set(number);
        }
        squares.isHeld = false;
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(*squares.query.last(), 100);
        QTRY_VERIFY(squares.shows(144));
        QCOMPARE(squares.made.load(), 2);
        // Nothing is worth more than the value that is wanted and there.
        squares.isHeld = true;
        squares.set(13);
        squares.set(12);
        QTRY_VERIFY(!squares.query.job().isRunning());
        QVERIFY(squares.shows(144));
    }

    void withoutAKeyNothingIsMadeOrKept() {
        Squares squares;
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        squares.set(std::nullopt);
        QVERIFY(squares.query.last() == nullptr && !squares.query.job().isRunning());
        squares.set(10);
        squares.set(std::nullopt);
        QTRY_VERIFY(!squares.query.job().isRunning());
        QVERIFY(squares.query.last() == nullptr);
    }

    void whatFailedIsNotTriedAgain() {
        Squares squares;
        const QSignalSpy changed(&squares.query, &QueryBase::changed);
        squares.set(-1);
        QTRY_COMPARE(changed.count(), 1);
        QVERIFY(squares.query.current() == nullptr);
        QCOMPARE(squares.query.error()->message, "negative");
        squares.query.update();
        QVERIFY(!squares.query.job().isRunning());
        squares.set(3);
        QTRY_VERIFY(squares.shows(9));
        QVERIFY(squares.query.error() == nullptr);
        squares.set(-1);
        QVERIFY(squares.query.job().isRunning());
        QTRY_COMPARE(changed.count(), 3);
    }

    void whatWasCancelledIsMadeOnceItIsWantedAgain() {
        Squares squares;
        squares.set(10);
        squares.query.job().cancel();
        QTRY_VERIFY(squares.query.error() != nullptr);
        squares.query.update();
        QVERIFY(!squares.query.job().isRunning());
        squares.isHeld = false;
        squares.query.setWanted(false);
        squares.query.setWanted(true);
        QTRY_VERIFY(squares.shows(100));
        squares.isHeld = true;
        squares.set(11);
        squares.query.job().cancel();
        QTRY_VERIFY(squares.query.error() != nullptr);
        squares.isHeld = false;
        squares.query.retry();
        QTRY_VERIFY(squares.shows(121));
    }

    void aQuickValueIsThereAtOnce() {
        Squares squares;
        squares.isQuick = true;
        const QSignalSpy changed(&squares.query, &QueryBase::changed);
        squares.set(5);
        QVERIFY(squares.shows(25));
        QCOMPARE(changed.count(), 0);
    }

    void whileUnwantedNothingIsMade() {
        Squares squares;
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        squares.query.setWanted(false);
        QVERIFY(squares.shows(9));
        squares.set(4);
        QVERIFY(squares.query.last() == nullptr && !squares.query.job().isRunning());
        squares.query.setWanted(true);
        QTRY_VERIFY(squares.shows(16));
        QCOMPARE(squares.made.load(), 2);
    }

    void waitsUntilTheKeyRests() {
        int number = 1;
        std::atomic<int> made = 0;
        Query<int, int> query({.title = "Counting",
                               .key = [&]() -> std::optional<int> { return number; },
                               .make = [&](const int& key, const JobContext&) -> Result<int> {
                                   ++made;
                                   return key;
                               },
                               .restMs = 20});
        for (; number < 50; ++number) {
            query.update();
        }
        query.update();
        QTRY_VERIFY(query.current() != nullptr);
        QCOMPARE(*query.current(), 50);
        QCOMPARE(made.load(), 1);
    }
};

EPSILENS_UI_TEST(JobRunnerTest)
EPSILENS_UI_TEST(JobBoardTest)
EPSILENS_UI_TEST(QueryTest)
#include "jobs_test.moc"
