// Frame times of the window while epsilon is moved: Live tab, 30 words, 400,000 x 300 vectors.
//
// usage: live-bench [EMBEDDING [MOVES]]   (default: generated vectors, 1,000 moves)
//
// Drives the real widgets without a display. A frame is one move of the slider until everything
// that it changed is computed, laid out and painted. Then once more with the settings saved as a
// session, which the window compares itself with.

#include <cstdlib>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/bench/frames/bench_window.h"
#include "tests/bench/frames/frame_times.h"
#include "ui/common/dialogs.h"
#include "ui/live/live_panel.h"
#include "ui/shell/session_file.h"

using namespace epsilens;

namespace {

constexpr int kWords = 30;
constexpr double kReach = 30.0;

QString sentenceOf(const embedding::Embedding& embedding) {
    QStringList words;
    for (int i = 0; i < kWords; ++i) {
        const auto row = static_cast<embedding::Row>(embedding.wordCount() * i / kWords);
        words.append(QString::fromStdString(std::string(embedding.vocabulary.word(row))));
    }
    return words.join(QLatin1Char(' '));
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
    const auto ready = [&] {
        return live.isVisible() && live.model().words().size() == kWords &&
               !live.model().isBehind();
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
    bench::printTimes("moving epsilon", bench::sliderTimes(slider, moves, kReach));
    if (!saveSession(*window)) {
        fmt::print(stderr, "the session was not saved\n");
        return 1;
    }
    bench::printTimes("moving epsilon of a session", bench::sliderTimes(slider, moves, kReach));
    return 0;
}
