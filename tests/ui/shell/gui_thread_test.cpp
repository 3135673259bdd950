#include <algorithm>
#include <ctime>

#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTimer>

#include "core/base/thread_limit.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

/// Seconds that a processor worked, which do not depend on what else the machine does.
double workOf(clockid_t clock) {
    std::timespec time{};
    clock_gettime(clock, &time);
    constexpr double kNanosecond = 1e-9;
    return static_cast<double>(time.tv_sec) + kNanosecond * static_cast<double>(time.tv_nsec);
}

/// How the work of a job is shared out: what this thread does at a time, between two events of a
/// timer, and what all others do together.
class Heartbeat {
public:
    Heartbeat() : m_start(here()), m_startOfAll(workOf(CLOCK_PROCESS_CPUTIME_ID)), m_last(m_start) {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { beat(); });
        m_timer.start(1);
    }

    /// No work of this thread is of the size of a job; a job done here leaves the others nothing.
    [[nodiscard]] bool isSteady() const {
        const double elsewhere =
            (workOf(CLOCK_PROCESS_CPUTIME_ID) - m_startOfAll) - (here() - m_start);
        return m_beats > 0 && m_longest < elsewhere / 2.0;
    }

private:
    static double here() { return workOf(CLOCK_THREAD_CPUTIME_ID); }
    void beat() {
        m_longest = std::max(m_longest, here() - m_last);
        m_last = here();
        ++m_beats;
    }

    QTimer m_timer;
    double m_start;
    double m_startOfAll;
    double m_last;
    double m_longest = 0.0;
    int m_beats = 0;
};

}  // namespace

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
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentIndex(2);
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
