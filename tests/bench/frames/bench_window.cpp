#include "tests/bench/frames/bench_window.h"

#include <cmath>

#include <fmt/format.h>

#include "tests/bench/frames/frame_times.h"
#include "tests/support/toy_embedding.h"

namespace epsilens::bench {

namespace {

/// What the window opens: the file asked for, else generated vectors, whatever the name.
ui::LoadFunctions loadFunctions(bool generated) {
    ui::LoadFunctions functions = ui::coreLoadFunctions();
    if (generated) {
        functions.open = [](const embedding::LoadOptions&, const JobContext&) {
            return test::toyEmbedding(test::clusteredVectors(400'000, 300, 7));
        };
    }
    return functions;
}

}  // namespace

std::unique_ptr<ui::MainWindow> openWindow(const char* file) {
    const bool generated = file == nullptr;
    auto window = ui::createWindow(loadFunctions(generated));
    window->resize(1200, 800);
    window->show();
    window->open(generated ? QStringLiteral("sample") : QString::fromLocal8Bit(file));
    if (!waitFor([&] {
            return window->state().embedding() != nullptr && window->jobs().runningCount() == 0;
        })) {
        fmt::print(stderr, "the window did not open\n");
        return nullptr;
    }
    return window;
}

std::vector<double> sliderTimes(ui::ValueSlider& slider, int moves, double reach) {
    const double centre = slider.value();
    std::vector<double> times;
    for (int move = 0; move < moves; ++move) {
        const double value = centre * std::pow(reach, std::sin(0.05 * move));
        times.push_back(milliseconds([&] {
            slider.moveTo(value);
            finishFrame();
        }));
    }
    return times;
}

}  // namespace epsilens::bench
