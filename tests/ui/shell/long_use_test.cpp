#include <unistd.h>

#include "tests/support/sanitized.h"
#include "tests/ui/shell/whole_window.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr int kSliderMoves = 10'000;
constexpr int kMovesPerTurn = 20;
constexpr int kCancelledRuns = 500;
constexpr int kLoads = 100;
constexpr int kLongPatienceMs = 60'000;
/// What caches of fonts, of drawing and of the allocator may still grow by; sanitizers keep freed
/// memory.
constexpr qint64 kGrowthMiB = test::kSanitized ? 600 : 48;

qint64 residentMiB() {
    const QByteArray statistics = test::contentOf("/proc/self/statm");
    return statistics.split(' ').at(1).toLongLong() * sysconf(_SC_PAGESIZE) >> 20;
}

}  // namespace

/// Hours at the window in a few minutes, or a tenth of them: see test::repetitions.
class LongUseTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        load();
    }
    void cleanup() { clean(); }

    void sliderMoves() {
        state().setSentence("w1 w2 w3 nothing w4");
        auto& epsilon = find("epsilonSlider");
        auto& lambda = find("lambdaSlider");
        const int moves = test::repetitions(kSliderMoves);
        qint64 first = 0;
        for (int move = 0; move < moves; ++move) {
            QTest::keyClick(move % 10 == 0 ? &lambda : &epsilon,
                            move / 40 % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
            // Painting is most of the time: not after every move, as under a quick hand.
            if (move % kMovesPerTurn == 0) {
                QApplication::processEvents();
            }
            first = move == moves / 10 ? residentMiB() : first;
        }
        checkFlat("slider moves", first);
    }

    void cancelledRuns() {
        const int runs = test::repetitions(kCancelledRuns);
        tabs().setCurrentWidget(&curves());
        qint64 first = 0;
        int started = 0;
        for (int i = 0; i < runs; ++i) {
            click("runAction");
            started += m_window->jobs().runningCount() > 0 ? 1 : 0;
            if (i % 2 == 0) {
                QApplication::processEvents(QEventLoop::AllEvents, i % 5);
            }
            QVERIFY(endJobs());
            // Late: until then every thread fills an arena of its own; 1,500 runs end no higher.
            first = i == runs / 2 ? residentMiB() : first;
        }
        QVERIFY(started > runs / 2);
        checkFlat("cancelled runs", first);
    }

    void loads() {
        const int loads = test::repetitions(kLoads);
        qint64 first = 0;
        for (int i = 0; i < loads; ++i) {
            open(m_vectors);
            first = i == loads / 10 ? residentMiB() : first;
        }
        checkFlat("loads", first);
    }

private:
    bool endJobs() {
        m_window->jobs().cancelAll();
        return test::handleEventsUntil([this] { return isIdle(); }, kLongPatienceMs);
    }

    void checkFlat(const char* what, qint64 first) {
        const qint64 last = residentMiB();
        qInfo("%s: resident memory %lld MiB after warming up, %lld MiB at the end", what, first,
              last);
        QVERIFY(last <= first + kGrowthMiB);
    }
};

EPSILENS_UI_TEST(LongUseTest)
#include "long_use_test.moc"
