#include "ui/shell/status_area.h"

#include <atomic>

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>

#include <fmt/format.h>

#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/job_board.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;
using test::kPatienceMs;

namespace {

/// A job that is as far as it is told, and ends when it is all done. Qt passes on progress only
/// that moves, and not every one: it creeps within the percent.
void startStepped(JobRunner<int>& runner, const std::atomic<int>& percent) {
    runner.start([&percent](const JobContext& job) -> Result<int> {
        int told = 0;
        int creep = 0;
        while (percent < 100 && !job.stopRequested()) {
            const int now = percent;
            creep = now == told ? std::min(creep + 1, 9) : 0;
            told = now;
            job.progress(now / 100.0 + creep / 1000.0, fmt::format("word {}", now));
            QThread::msleep(10);
        }
        return 0;
    });
}

}  // namespace

class StatusAreaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsAJobAndCancelsIt() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.show();
        auto* bar = findControl<QProgressBar>(area, "jobProgressBar");
        auto* text = findControl<QLabel>(area, "statusLabel");
        auto* cancel = findControl<QPushButton>(area, "cancelButton");
        QVERIFY(bar->isHidden());
        JobRunner<int> runner(QStringLiteral("Calibrating"), [](const Result<int>&) {});
        jobs.watch(&runner);
        runner.start([](const JobContext& job) -> Result<int> {
            double fraction = 0.3;
            while (!job.stopRequested()) {
                fraction = std::min(fraction + 0.001, 0.9);
                job.progress(fraction, "312 of 500 words");
                QThread::msleep(2);
            }
            return fail(ErrorCode::cancelled, "cancelled");
        });
        QVERIFY(bar->isHidden());  // jobs of a moment show nothing
        QTRY_VERIFY(bar->isVisible());
        QTRY_COMPARE(text->text(), QStringLiteral("Calibrating: 312 of 500 words"));
        QTRY_VERIFY(bar->value() > 300);
        QVERIFY(
            findControl<QLabel>(area, "timeLeftLabel")->text().endsWith(QStringLiteral("left")));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY(!runner.isRunning());
        QTRY_VERIFY(bar->isHidden());
    }

    void theKeyAsksBeforeItEndsALongJob() {
        JobBoard jobs;
        StatusArea area(jobs);
        JobRunner<int> runner(QStringLiteral("Searching"), [](const Result<int>&) {});
        jobs.watch(&runner);
        runner.start(test::untilStopped);
        constexpr double kEveryJobIsLong = 0.0;
        dialogs::presetAnswer(std::nullopt);
        area.askToCancel(kEveryJobIsLong);
        QVERIFY2(dialogs::lastQuestion().startsWith(QStringLiteral("Stop this: Searching?")),
                 qPrintable(dialogs::lastQuestion()));
        test::letPass(30);
        QVERIFY(runner.isRunning());
        dialogs::presetAnswer(0);
        area.askToCancel(kEveryJobIsLong);
        QTRY_VERIFY(!runner.isRunning());
    }

    void aSearchTellsAboutHowLongItTakesAndThatItKeepsNothing() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.show();
        JobRunner<int> runner(QStringLiteral("Guessing words"), [](const Result<int>&) {});
        runner.setSearch();
        jobs.watch(&runner);
        runner.start([](const JobContext& job) -> Result<int> {
            job.progress(0.5, "Guessing");
            return test::untilStopped(job);
        });
        const auto* left = findControl<QLabel>(area, "timeLeftLabel");
        QTRY_VERIFY_WITH_TIMEOUT(left->text().startsWith(QStringLiteral("about ")), kPatienceMs);
        // Not "Guessing words: Guessing".
        QCOMPARE(findControl<QLabel>(area, "statusLabel")->text(),
                 QStringLiteral("Guessing words…"));
        dialogs::presetAnswer(0);
        area.askToCancel(0.0);
        QVERIFY2(
            dialogs::lastQuestion().endsWith(QStringLiteral("keeps nothing of what it tried.")),
            qPrintable(dialogs::lastQuestion()));
        QTRY_VERIFY(!runner.isRunning());
    }

    void theKeyEndsAShortJobAtOnce() {
        JobBoard jobs;
        StatusArea area(jobs);
        JobRunner<int> runner(QStringLiteral("Searching"), [](const Result<int>&) {});
        jobs.watch(&runner);
        runner.start(test::untilStopped);
        area.askToCancel();
        QTRY_VERIFY(!runner.isRunning());
    }

    void theTimeLeftGrowsWhileNothingIsDone() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.show();
        JobRunner<int> runner(QStringLiteral("Searching"), [](const Result<int>&) {});
        jobs.watch(&runner);
        runner.start([](const JobContext& job) -> Result<int> {
            job.progress(0.25, "first step");
            while (!job.stopRequested()) {
                QThread::msleep(2);
            }
            return fail(ErrorCode::cancelled, "cancelled");
        });
        const auto* left = findControl<QLabel>(area, "timeLeftLabel");
        QTRY_VERIFY_WITH_TIMEOUT(!left->text().isEmpty(), kPatienceMs);
        const QString first = left->text();
        QTRY_VERIFY_WITH_TIMEOUT(left->text() != first, kPatienceMs);
        runner.cancel();
        QTRY_VERIFY(!runner.isRunning());
    }

    void shortJobsLeaveTheMessage() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.showMessage(QStringLiteral("Loading cancelled"));
        QCOMPARE(findControl<QLabel>(area, "statusLabel")->text(),
                 QStringLiteral("Loading cancelled"));
    }

    /// Every other accessible name is an event for screen readers; other text is none beside one.
    void quartersAreAnnouncedOnceAndGoWithTheirJob() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.show();
        auto* text = findControl<QLabel>(area, "statusLabel");
        const auto* bar = findControl<QProgressBar>(area, "jobProgressBar");
        std::atomic<int> percent = 5;
        JobRunner<int> runner(QStringLiteral("Calibrating"), [](const Result<int>&) {});
        jobs.watch(&runner);
        startStepped(runner, percent);
        QStringList spoken{QString()};
        for (const int step : {5, 10, 24, 30, 49, 51, 80, 90}) {
            percent = step;
            QTRY_COMPARE_WITH_TIMEOUT(
                text->text(), QStringLiteral("Calibrating: word %1").arg(step), kPatienceMs);
            if (text->accessibleName() != spoken.last()) {
                spoken.append(text->accessibleName());
            }
        }
        QCOMPARE(spoken, (QStringList{QString(), QStringLiteral("Calibrating: word 5, 0%"),
                                      QStringLiteral("Calibrating: word 30, 25%"),
                                      QStringLiteral("Calibrating: word 51, 50%"),
                                      QStringLiteral("Calibrating: word 80, 75%")}));
        percent = 100;
        QTRY_VERIFY_WITH_TIMEOUT(bar->isHidden(), kPatienceMs);
        area.showMessage(QStringLiteral("Command copied."));
        QCOMPARE(text->text(), QStringLiteral("Command copied."));
        QVERIFY(text->accessibleName().isEmpty());
    }

    void aSecondJobIsAnnouncedAtItsStart() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.show();
        auto* text = findControl<QLabel>(area, "statusLabel");
        std::atomic<int> first = 30;
        std::atomic<int> second = 30;
        JobRunner<int> loading(QStringLiteral("Loading"), [](const Result<int>&) {});
        JobRunner<int> calibrating(QStringLiteral("Calibrating"), [](const Result<int>&) {});
        jobs.watch(&loading);
        jobs.watch(&calibrating);
        startStepped(loading, first);
        startStepped(calibrating, second);
        QTRY_COMPARE_WITH_TIMEOUT(text->accessibleName(), QStringLiteral("Loading: word 30, 25%"),
                                  kPatienceMs);
        first = 100;
        QTRY_COMPARE_WITH_TIMEOUT(text->accessibleName(),
                                  QStringLiteral("Calibrating: word 30, 25%"), kPatienceMs);
        second = 100;
        QTRY_VERIFY_WITH_TIMEOUT(text->accessibleName().isEmpty(), kPatienceMs);
    }
};

EPSILENS_UI_TEST(StatusAreaTest)
#include "status_area_test.moc"
