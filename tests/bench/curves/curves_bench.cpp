// Frame times of the window while epsilon is moved: Curves tab after a run of 500 words and 100
// draws over the default grid, 400,000 x 300 vectors.
//
// usage: curves-bench [EMBEDDING [MOVES]]   (default: generated vectors, 1,000 moves)
//
// Drives the real widgets without a display. A frame is one move until everything that it changed
// is computed, laid out and painted. Moved by the slider, and by dragging the line in a plot.

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTest>

#include "tests/bench/frames/bench_window.h"
#include "tests/bench/frames/frame_times.h"
#include "ui/curves/curves_panel.h"
#include "ui/curves/statistic_plot.h"

using namespace epsilens;

namespace {

constexpr double kReach = 5.0;

/// Runs over the default grid; whether there are results, measured between the grid too.
bool run(ui::MainWindow& window, ui::CurvesPanel& curves) {
    window.showPanel(&curves);
    curves.run();
    const auto isIdle = [&] { return window.jobs().runningCount() == 0; };
    (void)bench::waitFor([&] { return curves.runner()->isRunning(); });
    while (!bench::waitFor(isIdle)) {
    }
    // The results are painted before the first move.
    bench::finishFrame();
    return curves.result() != nullptr && curves.isVisible();
}

/// Drags the line of epsilon to and fro over the middle half of the plot.
std::vector<double> dragTimes(ui::StatisticPlot& plot, int moves) {
    QWidget& canvas = *plot.findChild<QWidget*>();
    const QPoint from = plot.cursorPosition();
    const int middle = canvas.width() / 2;
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    std::vector<double> times;
    for (int move = 0; move < moves; ++move) {
        const int x =
            middle + static_cast<int>(std::lround(0.25 * canvas.width() * std::sin(0.05 * move)));
        times.push_back(bench::milliseconds([&] {
            QTest::mouseMove(&canvas, QPoint(x, from.y()));
            bench::finishFrame();
        }));
    }
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from);
    return times;
}

}  // namespace

int main(int argumentCount, char** arguments) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argumentCount, arguments);
    QStandardPaths::setTestModeEnabled(true);
    const auto window = bench::openWindow(argumentCount > 1 ? arguments[1] : nullptr);
    if (window == nullptr) {
        return 1;
    }
    auto& curves = *window->findChild<ui::CurvesPanel*>();
    if (!run(*window, curves)) {
        fmt::print(stderr, "the run gave no results\n");
        return 1;
    }
    const embedding::Embedding& embedding = window->state().embedding()->embedding;
    const ui::RunCurves& result = *curves.result();
    fmt::print("{} x {}: {} words, {} draws, {} curves of {} points\n", embedding.wordCount(),
               embedding.dimensions(), result.summary().words, result.summary().draws,
               result.nw.size(), result.nw.front().line.size());
    const int moves = argumentCount > 2 ? std::atoi(arguments[2]) : 1000;
    auto& slider = *window->findChild<ui::ValueSlider*>(QStringLiteral("epsilonSlider"));
    bench::printTimes("moving the slider", bench::sliderTimes(slider, moves, kReach));
    auto& plot = *window->findChild<ui::StatisticPlot*>(QStringLiteral("nwPlot"));
    bench::printTimes("dragging the line", dragTimes(plot, moves));
    return 0;
}
