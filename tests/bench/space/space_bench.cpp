// Frame times of the Space tab while the picture is dragged, zoomed and epsilon is moved.
//
// usage: space-bench [STEPS]   (default: 300)
//
// Drives the real panel without a display, at 1,100 x 700 pixels, on generated vectors of 30,000
// words, with 100 labels and 1,000 draws. A frame is one step until everything is painted.

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <QApplication>
#include <QElapsedTimer>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>
#include <QWheelEvent>

#include "tests/bench/frames/frame_times.h"
#include "tests/support/toy_embedding.h"
#include "ui/space/space_panel.h"
#include "ui/space/space_plot.h"

using namespace epsilens;

namespace {

class Bench {
public:
    explicit Bench(int steps) : m_steps(steps) {
        const auto embedding = test::toyEmbedding(test::clusteredVectors(30'000, 50, 7));
        m_state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        m_state.edit(&ui::AnalysisSettings::chooseEpsilon, 20.0);
        m_panel.resize(1100, 700);
        m_panel.show();
        m_plot = m_panel.findChild<ui::SpacePlot*>();
        m_canvas = m_plot->findChild<QWidget*>();
    }

    [[nodiscard]] bool show(int points, int labels, int draws) {
        set("pointsSpinBox", points);
        set("labelsSpinBox", labels);
        set("spaceDrawsSpinBox", draws);
        QElapsedTimer settled;
        settled.start();
        return bench::waitFor([&] {
            return settled.elapsed() > 1000 &&
                   m_plot->visibleCsv().count(QStringLiteral("point,")) >= points * 9 / 10;
        });
    }

    void drag(const char* what) {
        const QPoint centre = m_canvas->rect().center();
        QTest::mousePress(m_canvas, Qt::LeftButton, {}, centre);
        std::vector<double> times;
        for (int step = 0; step < m_steps; ++step) {
            const QPoint place = centre + QPoint(qRound(150 * std::sin(0.1 * step)),
                                                 qRound(90 * std::cos(0.13 * step)));
            times.push_back(bench::milliseconds([&] {
                QTest::mouseMove(m_canvas, place);
                bench::finishFrame();
            }));
        }
        QTest::mouseRelease(m_canvas, Qt::LeftButton, {}, centre);
        bench::printTimes(fmt::format("{}, dragging", what), times);
    }

    void zoom(const char* what) {
        std::vector<double> times;
        for (int step = 0; step < m_steps; ++step) {
            const int delta = step / 5 % 2 == 0 ? 120 : -120;
            const QPointF place = m_canvas->rect().center();
            QWheelEvent wheel(place, m_canvas->mapToGlobal(place), {}, {0, delta}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            times.push_back(bench::milliseconds([&] {
                QApplication::sendEvent(m_canvas, &wheel);
                bench::finishFrame();
            }));
        }
        bench::printTimes(fmt::format("{}, zooming", what), times);
    }

    void moveEpsilon(const char* what) {
        std::vector<double> times;
        times.reserve(static_cast<std::size_t>(m_steps));
        for (int step = 0; step < m_steps; ++step) {
            times.push_back(bench::milliseconds([&] {
                m_state.edit(&ui::AnalysisSettings::chooseEpsilon,
                             30.0 + 10.0 * std::sin(0.05 * step));
                bench::finishFrame();
            }));
        }
        bench::printTimes(fmt::format("{}, moving epsilon", what), times);
    }

private:
    void set(const char* name, int value) {
        m_panel.findChild<QSpinBox*>(QLatin1String(name))->setValue(value);
    }

    int m_steps;
    ui::AnalysisState m_state;
    ui::SpacePanel m_panel{m_state};
    ui::SpacePlot* m_plot = nullptr;
    QWidget* m_canvas = nullptr;
};

}  // namespace

int main(int argumentCount, char** arguments) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argumentCount, arguments);
    QStandardPaths::setTestModeEnabled(true);
    Bench bench(argumentCount > 1 ? std::atoi(arguments[1]) : 300);
    struct Case {
        const char* name;
        int points;
        int labels;
        int draws;
    };
    for (const Case& shown : {Case{"2,000 points, 10 labels, 200 draws", 2'000, 10, 200},
                              Case{"5,500 points, 100 labels, 1,000 draws", 5'500, 100, 1'000},
                              Case{"20,000 points, 100 labels, 1,000 draws", 20'000, 100, 1'000}}) {
        if (!bench.show(shown.points, shown.labels, shown.draws)) {
            fmt::print(stderr, "{} were not drawn\n", shown.name);
            return 1;
        }
        bench.drag(shown.name);
        bench.zoom(shown.name);
        bench.moveEpsilon(shown.name);
    }
    return 0;
}
