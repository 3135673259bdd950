#include "ui/shell/session_translator.h"

#include <string>

#include "core/calibration/provenance.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

document::SessionEmbedding embeddingOf(const embedding::Embedding& embedding) {
    document::SessionEmbedding kept;
    embedding::LoadOptions load;
    load.path = embedding.path.empty() ? embedding.name : embedding.path;
    load.limitRows = embedding.report.limitedTo.value_or(0);
    kept.load = calibration::keptRequest(load, {}).load;
    kept.bytes = embedding.report.fileBytes;
    kept.sha256 = embedding.report.sha256;
    return kept;
}

/// A pin that cannot run on the embedding at hand is left out.
std::optional<mechanism::Setting> usablePin(const document::Session& session,
                                            const AnalysisState& state) {
    if (session.pins.empty() || !state.embedding()) {
        return std::nullopt;
    }
    const mechanism::Setting& pin = session.pins.front();
    const bool runs = runnableOn(state.embedding(), pin.mechanism) == pin.mechanism &&
                      pin.epsilon > pin.mechanism.epsilonBound(state.embedding()->dimensions());
    return runs ? std::optional(pin) : std::nullopt;
}

/// A mechanism that cannot run gives way to one that can, at its default epsilon: values in another
/// unit say nothing there.
void applyMechanism(const document::Session& session, AnalysisState& state) {
    const mechanism::Mechanism possible = runnableOn(state.embedding(), session.current.mechanism);
    state.edit([&](AnalysisSettings& settings) { settings.mechanism.take(possible); });
    state.edit([&](AnalysisSettings& settings) {
        if (possible != session.current.mechanism) {
            settings.epsilon = settings.epsilonScale.suggested;
            settings.epsilonChosen = false;
            return;
        }
        settings.chooseEpsilon(session.current.epsilon);
        if (!session.grid.grid.epsilons.empty()) {
            settings.grid.epsilons = session.grid.grid.epsilons;
        }
    });
}

void takeGrid(const mechanism::Grid& grid, GridValues& values) {
    const auto take = [](const std::vector<double>& kept, std::vector<double>& value) {
        if (!kept.empty()) {
            value = kept;
        }
    };
    if (grid.mechanism.hasLambda() && !grid.mechanism.hasRadius()) {
        take(grid.lambdas, values.lambdas);
    }
    take(grid.betas, values.betas);
    take(grid.gammas, values.gammas);
}

document::Session settingsOf(const AnalysisState& state) {
    document::Session session;
    session.version = calibration::programVersion();
    if (state.embedding()) {
        session.embedding = embeddingOf(state.embedding()->embedding);
    }
    session.current = state.setting();
    if (const auto& pin = state.pin()) {
        session.pins = {*pin};
    }
    session.grid = state.calibrationOptions();
    session.wordsFrom = state.wordSources().of(session.grid.words);
    session.percentileBand = {state.band().low, state.band().high};
    session.letterCase = state.textPolicies().letterCase;
    return session;
}

}  // namespace

document::Session sessionWithoutResults(const AnalysisState& state, const ReportDraft& draft) {
    document::Session session = settingsOf(state);
    session.report = draft.settings();
    // Measured anew on the texts, which the session names where it keeps what was found on them.
    session.report.texts.reset();
    session.grid = optionsUnder(session.report.limits, session.grid);
    session.keepsSentences = draft.includesSentence();
    return session;
}

document::Session sessionOf(const AnalysisState& state, const ReportDraft& draft) {
    document::Session session = sessionWithoutResults(state, draft);
    if (draft.run()) {
        session.results = *draft.reportedRun();
    }
    return session;
}

document::Session recoveryOf(const AnalysisState& state, const ReportDraft& draft) {
    document::Session session = settingsOf(state);
    const document::ReportSettings settings = draft.settings();
    session.report.choice = settings.choice;
    session.report.epsilonOrigin = settings.epsilonOrigin;
    session.report.limits = settings.limits;
    session.report.figureLimits = settings.figureLimits;
    session.grid = optionsUnder(settings.limits, session.grid);
    session.report.unknownWords = settings.unknownWords;
    return session;
}

void applySettings(const document::Session& session, AnalysisState& state) {
    applyMechanism(session, state);
    if (session.wordsFrom) {
        state.wordSources().remember(session.grid.words, *session.wordsFrom);
    }
    state.edit([&](AnalysisSettings& settings) {
        settings.draws = session.grid.draws;
        settings.seed = session.grid.seed;
        settings.pin = usablePin(session, state);
        settings.band = {session.percentileBand[0], session.percentileBand[1]};
        // What happens to unknown words is kept with the report, in new sessions.
        settings.textPolicies = {TextPolicies{}.unknownWords, session.letterCase};
        takeGrid(session.grid.grid, settings.grid);
    });
    // Words may be drawn anew for a seed: those of the session come after it.
    state.edit(&AnalysisSettings::words, session.grid.words);
    if (!session.report.sentences.empty()) {
        state.lookAt(QString::fromStdString(session.report.sentences.front()));
    }
}

}  // namespace epsilens::ui
