// Frame times of the window while epsilon is moved: tab Choose, 30 words, 400,000 x 300 vectors.
//
// usage: live-bench [EMBEDDING [MOVES]]   (default: generated vectors, 1,000 moves)
//
// Drives the real widgets without a display. A frame is one move of the slider until everything
// that it changed is computed, laid out and painted. Then once more with the settings saved as a
// session, which the window compares itself with. Before that, how long a new sentence and a new
// lambda take until all words show their values.

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/bench/frames/bench_window.h"
#include "tests/bench/frames/frame_times.h"
#include "ui/live/live_panel.h"
#include "ui/shell/session_file.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;

namespace {

constexpr int kWords = 30;
constexpr int kFewWords = 5;
constexpr double kReach = 30.0;

QString sentenceOf(const embedding::Embedding& embedding, int count) {
    QStringList words;
    for (int i = 0; i < count; ++i) {
        const auto row = static_cast<embedding::Row>(embedding.wordCount() * i / count);
        words.append(QString::fromStdString(std::string(embedding.vocabulary.word(row))));
    }
    return words.join(QLatin1Char(' '));
}

/// Milliseconds until all words of a sentence show their values for another lambda, rising.
std::vector<double> lambdaTimes(ui::AnalysisState& state, const std::function<bool()>& ready) {
    constexpr int kChanges = 11;
    constexpr double kFirst = 0.3;
    constexpr double kStep = 0.05;
    std::vector<double> times;
    times.reserve(kChanges);
    for (int i = 0; i < kChanges; ++i) {
        times.push_back(bench::milliseconds([&] {
            state.edit(&ui::AnalysisSettings::setParameters, {.lambda = kFirst + kStep * i});
            (void)bench::waitFor(ready);
        }));
    }
    std::sort(times.begin(), times.end());
    return times;
}

bool saveSession(const ui::MainWindow& window) {
    const QTemporaryDir folder;
    auto& session = *window.findChild<ui::SessionFile*>();
    ui::dialogs::presetSaveFile(folder.filePath(QStringLiteral("bench.epsilens")));
    session.save();
    return bench::waitFor([&session] { return !session.name().isEmpty(); });
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
    auto& live = *window->findChild<ui::live::LivePanel*>();
    ui::AnalysisState& state = window->state();
    const embedding::Embedding& embedding = state.embedding()->embedding;
    for (const int words : {kFewWords, kWords}) {
        const auto ready = [&] {
            return live.isVisible() &&
                   live.model().words().size() == static_cast<std::size_t>(words) &&
                   !live.model().isBehind();
        };
        const double sentence = bench::milliseconds([&] {
            state.lookAt(sentenceOf(embedding, words));
            (void)bench::waitFor(ready);
        });
        if (!ready()) {
            fmt::print(stderr, "the paths of the sentence did not come\n");
            return 1;
        }
        const std::vector<double> lambda = lambdaTimes(state, ready);
        fmt::print(
            "{} words of {} x {}: shown after {:.0f} ms; another lambda: median {:.0f} ms, "
            "longest {:.0f} ms\n",
            words, embedding.wordCount(), embedding.dimensions(), sentence,
            lambda[lambda.size() / 2], lambda.back());
    }
    auto& slider = *window->findChild<ui::ValueSlider*>(QStringLiteral("epsilonSlider"));
    const int moves = argumentCount > 2 ? std::atoi(arguments[2]) : 1000;
    bench::printTimes("moving epsilon", bench::sliderTimes(slider, moves, kReach));
    if (!saveSession(*window)) {
        fmt::print(stderr, "the session was not saved\n");
        return 1;
    }
    bench::printTimes("moving epsilon of a session", bench::sliderTimes(slider, moves, kReach));
    return 0;
}
