// Frame times of the window while epsilon is moved: Live tab, 30 words, 400,000 x 300 vectors.
//
// usage: live-bench [EMBEDDING [MOVES]]   (default: generated vectors, 1,000 moves)
//
// Drives the real widgets without a display. A frame is one move of the slider until everything
// that it changed is computed, laid out and painted.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTabWidget>

#include "core/embedding/open_embedding.h"
#include "tests/support/toy_embedding.h"
#include "ui/common/value_slider.h"
#include "ui/live/live_panel.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;

namespace {

constexpr int kWords = 30;
constexpr std::chrono::seconds kPatience{60};

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

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

// Whether the condition came to hold while events were handled.
bool waitFor(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition() && std::chrono::steady_clock::now() < end) {
        QCoreApplication::processEvents();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return condition();
}

// Queued drawings are events that handling events brings about.
void finishFrame() {
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
}

std::vector<double> frameTimes(ui::ValueSlider& slider, int moves) {
    const double centre = slider.value();
    std::vector<double> times;
    for (int move = 0; move < moves; ++move) {
        const double epsilon = centre * std::pow(30.0, std::sin(0.05 * move));
        times.push_back(milliseconds([&] {
            slider.moveTo(epsilon);
            finishFrame();
        }));
    }
    return times;
}

void print(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    fmt::print("{}: median {:.2f} ms, 95% {:.2f} ms, 99% {:.2f} ms, longest {:.2f} ms\n", what,
               at(0.5), at(0.95), at(0.99), times.back());
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
    if (!waitFor([&] { return live.isVisible() && window->jobs().runningCount() == 0; })) {
        fmt::print(stderr, "the Live tab did not show\n");
        return 1;
    }
    ui::AnalysisState& state = window->state();
    const embedding::Embedding& embedding = state.embedding()->embedding;
    const auto ready = [&] {
        return live.model().words().size() == kWords && !live.model().isBehind();
    };
    const double paths = milliseconds([&] {
        state.setSentence(sentenceOf(embedding));
        (void)waitFor(ready);
    });
    if (!ready()) {
        fmt::print(stderr, "the paths of the sentence did not come\n");
        return 1;
    }
    fmt::print("{} words of {} x {}: shown after {:.0f} ms\n", kWords, embedding.wordCount(),
               embedding.dimensions(), paths);
    auto& slider = *window->findChild<ui::ValueSlider*>(QStringLiteral("epsilonSlider"));
    const int moves = argumentCount > 2 ? std::atoi(arguments[2]) : 1000;
    print("moving epsilon", frameTimes(slider, moves));
    return 0;
}
