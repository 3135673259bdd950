#include <QPushButton>
#include <QSettings>
#include <QTabWidget>

#include "core/base/parallel.h"
#include "tests/ui/support/heartbeat.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::Heartbeat;
using test::kPatienceMs;

/// Long work is done elsewhere: the thread of the window goes on answering.
class GuiThreadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        // All work of a job is done by one thread, which may be this one by mistake.
        setThreadLimit(1);
        m_window = createWindow();
        m_window->show();
        QCoreApplication::processEvents();
    }
    void cleanupTestCase() {
        m_window.reset();
        setThreadLimit(0);
    }

    void whileAFileIsLoadedAndItsPlaneIsFound() {
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentIndex(5);
        const Heartbeat heart;
        findControl<QPushButton>(*m_window, "emptyStateSampleButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr && isIdle(), kPatienceMs);
        QVERIFY(heart.isSteady());
    }

    void whileCurvesAreRun() {
        calibration::WordSelection few = m_window->state().words();
        few.count = 40;
        m_window->state().edit(&AnalysisSettings::words, few);
        auto& curves = *findControl<CurvesPanel>(*m_window, "curvesPanel");
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
        const Heartbeat heart;
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(curves.result() != nullptr && isIdle(), kPatienceMs);
        QVERIFY(heart.isSteady());
    }

private:
    [[nodiscard]] bool isIdle() const { return m_window->jobs().runningCount() == 0; }

    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(GuiThreadTest)
#include "gui_thread_test.moc"
