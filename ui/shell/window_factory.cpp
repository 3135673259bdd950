#include "ui/shell/window_factory.h"

#include "ui/common/qt_convert.h"
#include "ui/common/session_results.h"
#include "ui/curves/curves_panel.h"
#include "ui/live/live_panel.h"
#include "ui/shell/preferences.h"
#include "ui/space/space_panel.h"
#include "ui/words/words_panel.h"

namespace epsilens::ui {

namespace {

SharedRunHandle sharedRun(const CurveRunHandle& run) {
    if (!run) {
        return nullptr;
    }
    return std::make_shared<const SharedRun>(
        SharedRun{run->embedding.lock(), run->options,
                  std::shared_ptr<const calibration::CalibrationSummary>(run, &run->summary)});
}

/// Shows a word of the embedding in the Live tab.
void showInLive(MainWindow& window, Panel& live, embedding::Row word) {
    AnalysisState& state = window.state();
    if (state.sentence().trimmed().isEmpty()) {
        state.setSentence(toQString(state.embedding()->vocabulary().word(word)));
    }
    state.setSelectedWord(word);
    window.showPanel(&live);
}

void addWords(MainWindow& window, CurvesPanel& curves, Panel& live) {
    SessionResults& results = window.results();
    auto* words = new WordsPanel(window.state(), results);
    window.addPanel(words);
    window.jobs().watch(words->exporter());
    window.jobs().watch(&results.densityRunner());
    QObject::connect(&curves, &CurvesPanel::resultChanged, &results,
                     [&results, &curves] { results.setRun(sharedRun(curves.result())); });
    QObject::connect(&curves, &CurvesPanel::costChanged, words, &WordsPanel::setRunCost);
    QObject::connect(words, &WordsPanel::runRequested, &curves, &CurvesPanel::run);
    QObject::connect(words, &WordsPanel::wordActivated, &window,
                     [&window, &live](embedding::Row word) { showInLive(window, live, word); });
}

}  // namespace

std::unique_ptr<MainWindow> createWindow(const LoadFunctions& functions) {
    auto window = std::make_unique<MainWindow>(functions);
    AnalysisState& state = window->state();
    auto* live = new live::LivePanel(state);
    window->addPanel(live);
    auto* curves = new CurvesPanel(state);
    window->addPanel(curves);
    window->jobs().watch(curves->runner());
    window->addPanel(new SpacePanel(state));
    addWords(*window, *curves, *live);
    return window;
}

void applyRememberedPreferences() {
    Preferences::load().apply();
}

}  // namespace epsilens::ui
