#include <QTabWidget>

#include "core/base/parallel.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/heartbeat.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::Heartbeat;
using test::kPatienceMs;

/// Long work is done elsewhere: the thread of the window goes on answering.
class GuiThreadTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // All work of a job is done by one thread, which may be this one by mistake.
        setThreadLimit(1);
        prepare();
        QCoreApplication::processEvents();
    }
    void cleanupTestCase() {
        clean();
        setThreadLimit(0);
    }

    void whileAFileIsLoadedAndItsPlaneIsFound() {
        m_window->tabs().setCurrentIndex(5);
        const Heartbeat heart;
        click("emptyStateSampleButton");
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr && isIdle(), kPatienceMs);
        QVERIFY(heart.isSteady());
    }

    void whileCurvesAreRun() {
        calibration::WordSelection few = state().words();
        few.count = 40;
        state().edit(&AnalysisSettings::words, few);
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
        const Heartbeat heart;
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr && isIdle(), kPatienceMs);
        QVERIFY(heart.isSteady());
    }
};

EPSILENS_UI_TEST(GuiThreadTest)
#include "gui_thread_test.moc"
