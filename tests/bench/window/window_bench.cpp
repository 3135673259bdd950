// How long the window takes to open an embedding, and its frames while epsilon is moved.
//
// usage: window-bench live|curves [EMBEDDING [MOVES]]
//        (default: generated vectors, 400,000 x 300; 1,000 moves)
//
// Drives the real widgets without a display, at 1,200 x 800 pixels. A frame is one move until
// everything that it changed is computed, laid out and painted.
//
// live    tab Choose: how long a new sentence of 5 and of 30 words and a new lambda take until all
//         words show their values; moving the slider; the same with the settings saved as a
//         session, which the window compares itself with
// curves  tab Curves after a run of 500 words and 100 draws over the default grid: moving the
//         slider, and dragging the line in a plot

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/toy_embedding.h"
#include "ui/choose/choose_panel.h"
#include "ui/curves/curves_panel.h"
#include "ui/plot/xy_plot.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_file.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;

namespace {

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

/// Handles events until the condition holds; ends the program when it does not within a minute.
void waitFor(const char* what, const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) {
            fmt::print(stderr, "{} did not come\n", what);
            std::exit(EXIT_FAILURE);  // NOLINT(concurrency-mt-unsafe): nothing follows
        }
        QCoreApplication::processEvents();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// Milliseconds of moves to and fro, by the sine of how far, up to what the window then draws.
std::vector<double> frameTimes(int moves, const std::function<void(double)>& move) {
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(moves));
    for (int i = 0; i < moves; ++i) {
        times.push_back(milliseconds([&] {
            move(std::sin(0.05 * i));
            // Queued drawings are events that handling events brings about.
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
        }));
    }
    return times;
}

void printTimes(std::string_view what, std::vector<double> times) {
    std::ranges::sort(times);
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    fmt::print("{}: median {:.2f} ms, 95% {:.2f} ms, 99% {:.2f} ms, longest {:.2f} ms\n", what,
               at(0.5), at(0.95), at(0.99), times.back());
}

/// Moves the slider around where it stands, by a factor of up to `reach`.
void moveSlider(ui::MainWindow& window, std::string_view what, int moves, double reach) {
    auto& slider = *window.findChild<ui::ValueSlider*>(QStringLiteral("epsilonSlider"));
    const double centre = slider.value();
    printTimes(what, frameTimes(moves, [&](double sine) {
                   slider.moveTo(centre * std::pow(reach, sine));
               }));
}

std::unique_ptr<ui::MainWindow> openWindow(const char* file) {
    ui::LoadFunctions functions = ui::coreLoadFunctions();
    if (file == nullptr) {
        functions.open = [](const embedding::LoadOptions&, const JobContext&) {
            return test::toyEmbedding(test::clusteredVectors(400'000, 300, 7));
        };
    }
    auto window = std::make_unique<ui::MainWindow>(functions);
    window->resize(1200, 800);
    window->show();
    const double opened = milliseconds([&] {
        window->open(file == nullptr ? QStringLiteral("sample") : QString::fromLocal8Bit(file));
        waitFor("the embedding", [&] { return window->state().embedding() != nullptr; });
    });
    waitFor("the window's rest", [&] { return window->jobs().runningCount() == 0; });
    const auto& embedding = window->state().embedding()->embedding;
    fmt::print("{} x {} opened in {:.0f} ms\n", embedding.wordCount(), embedding.dimensions(),
               opened);
    return window;
}

QString sentenceOf(const embedding::Embedding& embedding, int count) {
    QStringList words;
    for (int i = 0; i < count; ++i) {
        const auto row = static_cast<embedding::Row>(embedding.wordCount() * i / count);
        words.append(QString::fromStdString(std::string(embedding.vocabulary.word(row))));
    }
    return words.join(QLatin1Char(' '));
}

void measureLive(ui::MainWindow& window, int moves) {
    constexpr double kReach = 30.0;
    auto& live = *window.findChild<ui::choose::ChoosePanel*>();
    ui::AnalysisState& state = window.state();
    for (const int words : {5, 30}) {
        const auto wait = [&] {
            waitFor("the paths of the sentence", [&] {
                return live.isVisible() &&
                       live.model().words().size() == static_cast<std::size_t>(words) &&
                       !live.model().isBehind();
            });
        };
        const QString sentence = sentenceOf(state.embedding()->embedding, words);
        fmt::print("{} words: shown after {:.0f} ms\n", words, milliseconds([&] {
                       state.setSentence(sentence);
                       wait();
                   }));
        std::vector<double> times;
        for (const double lambda : {0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8}) {
            times.push_back(milliseconds([&] {
                state.edit(&ui::AnalysisSettings::setParameters, {.lambda = lambda});
                wait();
            }));
        }
        printTimes("another lambda", times);
    }
    moveSlider(window, "moving epsilon", moves, kReach);
    const QTemporaryDir folder;
    auto& session = *window.findChild<ui::SessionFile*>();
    ui::dialogs::presetSaveFile(folder.filePath(QStringLiteral("bench.epsilens")));
    session.save();
    waitFor("the session", [&session] { return !session.name().isEmpty(); });
    moveSlider(window, "moving epsilon of a session", moves, kReach);
}

void measureCurves(ui::MainWindow& window, int moves) {
    constexpr double kReach = 5.0;
    auto& curves = *window.findChild<ui::CurvesPanel*>();
    window.showPanel(&curves);
    curves.run();
    waitFor("the run", [&] { return curves.isRunning(); });
    while (window.jobs().runningCount() > 0) {
        QCoreApplication::processEvents();
    }
    const ui::RunCurves& result = *curves.result();
    fmt::print("{} words, {} draws, {} curves of {} points\n", result.summary().words,
               result.summary().draws, result.curves.size(), result.curves.front().line.size());
    moveSlider(window, "moving the slider", moves, kReach);
    auto& plot = *window.findChild<ui::XyPlot*>(QStringLiteral("nwPlot"));
    auto& canvas = *plot.findChild<QWidget*>();
    const QPoint from = plot.cursorPosition();
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    printTimes("dragging the line", frameTimes(moves, [&](double sine) {
                   const int x = qRound((0.5 + 0.25 * sine) * canvas.width());
                   QTest::mouseMove(&canvas, QPoint(x, from.y()));
               }));
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from);
}

}  // namespace

int main(int count, char** arguments) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(count, arguments);
    QStandardPaths::setTestModeEnabled(true);
    const std::string_view what = count > 1 ? arguments[1] : "";
    if (what != "live" && what != "curves") {
        fmt::print(stderr, "usage: window-bench live|curves [EMBEDDING [MOVES]]\n");
        return EXIT_FAILURE;
    }
    const auto window = openWindow(count > 2 ? arguments[2] : nullptr);
    const int moves = count > 3 ? std::atoi(arguments[3]) : 1000;
    (what == "live" ? measureLive : measureCurves)(*window, moves);
    return EXIT_SUCCESS;
}
