#include "ui/state/job_board.h"

#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::JobBoard;
using epsilens::ui::JobRunner;

class JobBoardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsTheJobThatStartedFirstAndCancelsAll() {
        JobBoard board;
        JobRunner<int> first(QStringLiteral("first"), [](const Result<int>&) {});
        JobRunner<int> second(QStringLiteral("second"), [](const Result<int>&) {});
        board.watch(&first);
        board.watch(&second);
        QVERIFY(board.foremost() == nullptr);
        first.start(test::untilStopped);
        second.start(test::untilStopped);
        QCOMPARE(board.foremost()->title(), QStringLiteral("first"));
        QCOMPARE(board.runningCount(), 2);
        board.cancelAll();
        QTRY_COMPARE(board.runningCount(), 0);
    }

    void knowsWhetherAnAnswerIsWaitedFor() {
        JobBoard board;
        QVERIFY(!board.isAnswering());
        auto runner =
            std::make_unique<JobRunner<int>>(QStringLiteral("answer"), [](const Result<int>&) {});
        board.putFirst(runner.get());
        QVERIFY(!board.isAnswering());
        runner->start(test::untilStopped);
        QVERIFY(board.isAnswering());
        QCOMPARE(board.runningCount(), 0);  // a short job, which is not shown
        runner->cancel();
        QTRY_VERIFY(!board.isAnswering());
        runner.reset();
        QVERIFY(!board.isAnswering());
    }

    void forgetsARunnerThatIsDestroyedWhileRunning() {
        JobBoard board;
        auto runner =
            std::make_unique<JobRunner<int>>(QStringLiteral("gone"), [](const Result<int>&) {});
        board.watch(runner.get());
        runner->start(test::untilStopped);
        QCOMPARE(board.runningCount(), 1);
        runner.reset();
        QCOMPARE(board.runningCount(), 0);
        QVERIFY(board.foremost() == nullptr);
    }
};

EPSILENS_UI_TEST(JobBoardTest)
#include "job_board_test.moc"
