#include "ui/shell/status_area.h"

#include <atomic>

#include <QDateTime>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>
#include <QToolButton>

#include <fmt/format.h>

#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/job_board.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
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

/// One that tells its progress once.
void startStuck(JobRunner<int>& runner, const char* stage) {
    runner.start([stage](const JobContext& job) -> Result<int> {
        job.progress(0.25, stage);
        return test::untilStopped(job);
    });
}

}  // namespace

class StatusAreaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_jobs = std::make_unique<JobBoard>();
        m_area = std::make_unique<StatusArea>(*m_jobs);
        m_area->show();
        m_first = makeRunner("Calibrating");
    }
    void cleanup() {
        m_first.reset();
        m_area.reset();
        m_jobs.reset();
    }

    void showsAJobAndCancelsIt() {
        QVERIFY(bar().isHidden());
        m_percent = 30;
        startStepped(*m_first, m_percent);
        QVERIFY(bar().isHidden());  // jobs of a moment show nothing
        QTRY_VERIFY(bar().isVisible());
        QTRY_COMPARE(text().text(), QStringLiteral("Calibrating: word 30"));
        QTRY_VERIFY(bar().value() >= 300);
        QTRY_VERIFY(timeLeft().endsWith(QStringLiteral("left")));
        QTest::mouseClick(findControl<QPushButton>(*m_area, "cancelButton"), Qt::LeftButton);
        QTRY_VERIFY(!m_first->isRunning());
        QTRY_VERIFY(bar().isHidden());
    }

    void theKeyAsksBeforeItEndsALongJobOnly() {
        constexpr double kEveryJobIsLong = 0.0;
        m_first->start(test::untilStopped);
        dialogs::presetAnswer(std::nullopt);
        m_area->askToCancel(kEveryJobIsLong);
        QVERIFY2(dialogs::lastQuestion().startsWith(QStringLiteral("Stop this: Calibrating?")),
                 qPrintable(dialogs::lastQuestion()));
        test::letPass(30);
        QVERIFY(m_first->isRunning());
        dialogs::presetAnswer(0);
        m_area->askToCancel(kEveryJobIsLong);
        QTRY_VERIFY(!m_first->isRunning());
        m_first->start(test::untilStopped);
        m_area->askToCancel();
        QTRY_VERIFY(!m_first->isRunning());
    }

    void aSearchTellsAboutHowLongItTakesAndThatItKeepsNothing() {
        const auto search = makeRunner("Guessing words");
        search->setSearch();
        startStuck(*search, "Guessing");
        QTRY_VERIFY_WITH_TIMEOUT(timeLeft().startsWith(QStringLiteral("about ")), kPatienceMs);
        // Not "Guessing words: Guessing".
        QCOMPARE(text().text(), QStringLiteral("Guessing words…"));
        dialogs::presetAnswer(0);
        m_area->askToCancel(0.0);
        QVERIFY2(
            dialogs::lastQuestion().endsWith(QStringLiteral("keeps nothing of what it tried.")),
            qPrintable(dialogs::lastQuestion()));
        QTRY_VERIFY(!search->isRunning());
    }

    void theTimeLeftGrowsWhileNothingIsDone() {
        startStuck(*m_first, "first step");
        QTRY_VERIFY_WITH_TIMEOUT(!timeLeft().isEmpty(), kPatienceMs);
        const QString first = timeLeft();
        QTRY_VERIFY_WITH_TIMEOUT(timeLeft() != first, kPatienceMs);
        m_first->cancel();
        QTRY_VERIFY(!m_first->isRunning());
    }

    /// Every other accessible name is an event for screen readers; other text is none beside one.
    void quartersAreAnnouncedOnceAndGoWithTheirJob() {
        m_percent = 5;
        startStepped(*m_first, m_percent);
        QStringList spoken{QString()};
        for (const int step : {5, 10, 24, 30, 49, 51, 80, 90}) {
            m_percent = step;
            QTRY_COMPARE_WITH_TIMEOUT(
                text().text(), QStringLiteral("Calibrating: word %1").arg(step), kPatienceMs);
            if (text().accessibleName() != spoken.last()) {
                spoken.append(text().accessibleName());
            }
        }
        QCOMPARE(spoken, (QStringList{QString(), QStringLiteral("Calibrating: word 5, 0%"),
                                      QStringLiteral("Calibrating: word 30, 25%"),
                                      QStringLiteral("Calibrating: word 51, 50%"),
                                      QStringLiteral("Calibrating: word 80, 75%")}));
        // A second job is announced at its start.
        std::atomic<int> ofSecond = 30;
        const auto second = makeRunner("Loading");
        startStepped(*second, ofSecond);
        m_percent = 100;
        QTRY_COMPARE_WITH_TIMEOUT(text().accessibleName(), QStringLiteral("Loading: word 30, 25%"),
                                  kPatienceMs);
        ofSecond = 100;
        QTRY_VERIFY_WITH_TIMEOUT(bar().isHidden(), kPatienceMs);
        m_area->showMessage(QStringLiteral("Command copied."));
        QCOMPARE(text().text(), QStringLiteral("Command copied."));
        QVERIFY(text().accessibleName().isEmpty());
    }

    void theLogKeepsTheNewestAndCountsWhatWasNotSeen() {
        LogDialog log;
        auto* button = log.makeButton(m_area.get());
        const auto* kept = findControl<QPlainTextEdit>(log, "logText");
        QCOMPARE(button->text(), QStringLiteral("log"));
        log.add(Severity::info, QStringLiteral("a note"));
        log.add(Severity::error, QStringLiteral("an error"));
        QCOMPARE(button->text(), QStringLiteral("log ⚠ 1"));
        QVERIFY(button->accessibleName().contains(QStringLiteral("1")));
        button->click();
        QVERIFY(log.isVisible());
        QCOMPARE(button->text(), QStringLiteral("log"));
        const QStringList lines = kept->toPlainText().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        const QString time = lines[1].section(QLatin1Char(' '), 0, 0);
        QVERIFY(QDateTime::fromString(time, Qt::ISODate).isValid());
        QCOMPARE(lines[1].mid(time.size()), QStringLiteral(" Error: an error"));
        for (int i = 0; i < LogDialog::kMost; ++i) {
            log.add(Severity::info, QString::number(i));
        }
        QVERIFY(!kept->toPlainText().contains(QStringLiteral("an error")));
        QVERIFY(kept->toPlainText().contains(QStringLiteral("Note: 0\n")));
        findControl<QPushButton>(log, "clearLogButton")->click();
        QVERIFY(kept->toPlainText().isEmpty());
    }

private:
    std::unique_ptr<JobRunner<int>> makeRunner(const char* title) {
        auto runner =
            std::make_unique<JobRunner<int>>(QLatin1String(title), [](const Result<int>&) {});
        m_jobs->watch(runner.get());
        return runner;
    }
    [[nodiscard]] QLabel& text() const { return *findControl<QLabel>(*m_area, "statusLabel"); }
    [[nodiscard]] QString timeLeft() const {
        return findControl<QLabel>(*m_area, "timeLeftLabel")->text();
    }
    [[nodiscard]] QProgressBar& bar() const {
        return *findControl<QProgressBar>(*m_area, "jobProgressBar");
    }

    std::atomic<int> m_percent = 0;
    std::unique_ptr<JobBoard> m_jobs;
    std::unique_ptr<StatusArea> m_area;
    std::unique_ptr<JobRunner<int>> m_first;
};

EPSILENS_UI_TEST(StatusAreaTest)
#include "status_area_test.moc"
