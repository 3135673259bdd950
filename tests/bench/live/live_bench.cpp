// Frame times of the window while epsilon is moved: Live tab, 30 words, 400,000 x 300 vectors.
//
// usage: live-bench [EMBEDDING [MOVES]]   (default: generated vectors, 1,000 moves)
//
// Drives the real widgets without a display. A frame is one move of the slider until everything
// that it changed is computed, laid out and painted.

#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTabWidget>

#include "core/embedding/open_embedding.h"
#include "tests/bench/frames/frame_times.h"
#include "tests/support/toy_embedding.h"
#include "ui/common/value_slider.h"
#include "ui/live/live_panel.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;

namespace {

constexpr int kWords = 30;

// What the window opens: the file asked for, else generated vectors, whatever the name.
ui::LoadFunctions loadFunctions(bool generated) {
    ui::LoadFunctions functions = ui::coreLoadFunctions();
    if (generated) {
        functions.open = [](const embedding::LoadOptions&, const JobContext&) {
            return test::toyEmbedding(test::clusteredVectors(400'000, 300, 7));
        };
    }
    return functions;
}

QString sentenceOf(const embedding::Embedding& embedding) {
    QStringList words;
    for (int i = 0; i < kWords; ++i) {
        const auto row = static_cast<embedding::Row>(embedding.wordCount() * i / kWords);
        words.append(QString::fromStdString(std::string(embedding.vocabulary.word(row))));
    }
    return words.join(QLatin1Char(' '));
}

std::vector<double> frameTimes(ui::ValueSlider& slider, int moves) {
    const double centre = slider.value();
    std::vector<double> times;
    for (int move = 0; move < moves; ++move) {
        const double epsilon = centre * std::pow(30.0, std::sin(0.05 * move));
        times.push_back(bench::milliseconds([&] {
            slider.moveTo(epsilon);
            bench::finishFrame();
        }));
    }
    return times;
}

}  // namespace

int main(int argumentCount, char** arguments) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argumentCount, arguments);
    QStandardPaths::setTestModeEnabled(true);
    const bool generated = argumentCount < 2;
    const auto window = ui::createWindow(loadFunctions(generated));
    window->resize(1200, 800);
    window->show();
    window->open(generated ? QStringLiteral("sample") : QString::fromLocal8Bit(arguments[1]));
    auto& live = *window->findChild<ui::live::LivePanel*>();
    if (!bench::waitFor([&] { return live.isVisible() && window->jobs().runningCount() == 0; })) {
        fmt::print(stderr, "the Live tab did not show\n");
        return 1;
    }
    ui::AnalysisState& state = window->state();
    const embedding::Embedding& embedding = state.embedding()->embedding;
    const auto ready = [&] {
        return live.model().words().size() == kWords && !live.model().isBehind();
    };
    const double paths = bench::milliseconds([&] {
        state.setSentence(sentenceOf(embedding));
        (void)bench::waitFor(ready);
    });
    if (!ready()) {
        fmt::print(stderr, "the paths of the sentence did not come\n");
        return 1;
    }
    fmt::print("{} words of {} x {}: shown after {:.0f} ms\n", kWords, embedding.wordCount(),
               embedding.dimensions(), paths);
    auto& slider = *window->findChild<ui::ValueSlider*>(QStringLiteral("epsilonSlider"));
    const int moves = argumentCount > 2 ? std::atoi(arguments[2]) : 1000;
    bench::printTimes("moving epsilon", frameTimes(slider, moves));
    return 0;
}
