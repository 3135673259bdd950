#include "ui/shell/status_area.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>

#include "tests/ui/support/ui_test.h"
#include "ui/common/job_board.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

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

    void shortJobsLeaveTheMessage() {
        JobBoard jobs;
        StatusArea area(jobs);
        area.showMessage(QStringLiteral("Loading cancelled"));
        QCOMPARE(findControl<QLabel>(area, "statusLabel")->text(),
                 QStringLiteral("Loading cancelled"));
    }
};

EPSILENS_UI_TEST(StatusAreaTest)
#include "status_area_test.moc"
