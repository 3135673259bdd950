#include "ui/shell/session_translator.h"

#include <string>

#include <QCoreApplication>

#include "core/calibration/run_description.h"
#include "ui/state/run_options.h"

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

document::SessionSetting settingOf(const MechanismChoice& choice, double epsilon) {
    return {choice.kind, epsilon,       choice.lambda, choice.gamma,
            choice.beta, choice.metric, choice.law,    choice.placement};
}

PinnedSetting pinOf(const document::SessionSetting& setting) {
    MechanismChoice choice;
    choice.kind = setting.mechanism;
    choice.lambda = setting.lambda;
    choice.metric = setting.metric;
    choice.gamma = setting.gamma;
    choice.beta = setting.beta.value_or(MechanismChoice::kDefaultBeta);
    choice.law = setting.law;
    choice.placement = setting.placement;
    return {choice, setting.epsilon};
}

/// A pin that cannot run on the embedding at hand is left out.
std::optional<PinnedSetting> usablePin(const document::Session& session,
                                       const AnalysisState& state) {
    if (session.pins.empty() || !state.embedding()) {
        return std::nullopt;
    }
    const PinnedSetting pin = pinOf(session.pins.front());
    const bool runs = runnableOn(state.embedding(), pin.choice) == pin.choice &&
                      pin.epsilon > pin.choice.epsilonBound(state.embedding()->dimensions());
    return runs ? std::optional(pin) : std::nullopt;
}

QString replacedText(const embedding::EmbeddingHandle& embedding, const MechanismChoice& wanted,
                     const MechanismChoice& possible) {
    const QString ofKind = mechanismRefusal(embedding, wanted.kind);
    return QCoreApplication::translate(
               "SessionFile",
               "%1 of the session cannot run on these vectors (%2). %3 took its place, with the "
               "default ε.")
        .arg(choiceTitle(wanted),
             ofKind.isEmpty() ? metricRefusal(embedding, wanted.metric) : ofKind,
             choiceTitle(possible));
}

/// Values of epsilon in another unit say nothing here.
void returnToDefaultEpsilon(AnalysisState& state) {
    AnalysisSettings settings = state.settings();
    settings.epsilon = settings.epsilonScale.suggested;
    settings.epsilonChosen = false;
    state.setSettings(settings);
}

QString applyMechanism(const document::Session& session, AnalysisState& state) {
    const document::SessionSetting& current = session.current;
    MechanismChoice wanted = pinOf(current).choice;
    // The first sessions kept these with the grid alone.
    wanted.metric = session.grid.metric;
    wanted.law = session.grid.law;
    wanted.placement = session.grid.placement;
    const MechanismChoice possible = runnableOn(state.embedding(), wanted);
    state.setMetric(possible.metric);
    state.setLaw(possible.law);
    state.setPlacement(possible.placement);
    state.setMechanism(possible.kind);
    state.setGammaGiven(current.gamma.has_value());
    if (current.gamma) {
        state.setGamma(*current.gamma);
    }
    if (current.beta) {
        state.setBeta(*current.beta);
    }
    state.setLambda(current.lambda);
    if (possible.normalised() != wanted.normalised()) {
        returnToDefaultEpsilon(state);
        return replacedText(state.embedding(), wanted, possible);
    }
    state.setEpsilon(current.epsilon);
    // It may be the one that the window has already.
    state.holdEpsilon();
    if (!session.grid.epsilons.empty()) {
        state.setGridEpsilons(session.grid.epsilons);
    }
    return {};
}

document::Session settingsOf(const AnalysisState& state) {
    document::Session session;
    session.version = calibration::programVersion();
    if (state.embedding()) {
        session.embedding = embeddingOf(state.embedding()->embedding);
    }
    session.current = settingOf(state.settings().choice, state.epsilon());
    if (const auto& pin = state.pins().pin()) {
        session.pins = {settingOf(pin->choice, pin->epsilon)};
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
    session.grid = optionsUnder(session.report.limits, session.grid);
    session.keepsSentences = draft.includesSentence();
    return session;
}

document::Session sessionOf(const AnalysisState& state, const ReportDraft& draft) {
    document::Session session = sessionWithoutResults(state, draft);
    if (draft.record()) {
        session.results = *draft.record();
    }
    return session;
}

document::Session recoveryOf(const AnalysisState& state, const ReportDraft& draft) {
    document::Session session = settingsOf(state);
    const document::ReportSettings settings = draft.settings();
    session.report.choice = settings.choice;
    session.report.limits = settings.limits;
    session.grid = optionsUnder(settings.limits, session.grid);
    session.report.sections = settings.sections;
    session.report.unknownWords = settings.unknownWords;
    return session;
}

QString applySettings(const document::Session& session, AnalysisState& state) {
    QString replaced = applyMechanism(session, state);
    state.setDraws(session.grid.draws);
    // Words may be drawn anew for a seed: those of the session come after it.
    state.setSeed(session.grid.seed);
    if (session.wordsFrom) {
        state.wordSources().remember(session.grid.words, *session.wordsFrom);
    }
    state.setWords(session.grid.words);
    state.setComparesWords(session.grid.independentDraws);
    state.pins().setPin(usablePin(session, state));
    state.setBand({session.percentileBand[0], session.percentileBand[1]});
    // What happens to unknown words is kept with the report, in new sessions.
    state.setTextPolicies({TextPolicies{}.unknownWords, session.letterCase});
    if (session.grid.mechanism == mechanism::Kind::mahalanobis && !session.grid.lambdas.empty()) {
        state.setGridLambdas(session.grid.lambdas);
    }
    if (!session.grid.betas.empty()) {
        state.setGridBetas(session.grid.betas);
    }
    if (!session.grid.gammas.empty()) {
        state.setGridGammas(session.grid.gammas);
    }
    if (!session.report.sentences.empty()) {
        state.setSentence(QString::fromStdString(session.report.sentences.front()));
    }
    return replaced;
}

}  // namespace epsilens::ui
