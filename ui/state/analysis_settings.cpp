#include "ui/state/analysis_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/calibration/recommend.h"
#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

namespace {

/// Of the default epsilon while nothing is known; riemannian noise exists above a bound only.
constexpr double kSuggestedAboveBound = 10.0;

double epsilonBound(const AnalysisSettings& settings, const embedding::EmbeddingHandle& embedding) {
    return embedding ? settings.currentMechanism().epsilonBound(embedding->dimensions()) : 0.0;
}

bool isAbove(double bound, double epsilon) {
    return epsilon > bound && std::isfinite(epsilon);
}

void followDefaultAbove(double bound, AnalysisSettings& settings) {
    settings.epsilonChosen = false;
    settings.epsilonScale = {bound + kSuggestedAboveBound, std::nullopt, std::nullopt};
    settings.epsilon = settings.epsilonScale.suggested;
}

void keepParametersInRange(const mechanism::Parameters& before, mechanism::Parameters& wanted) {
    if (!(*wanted.lambda >= 0.0 && *wanted.lambda <= 1.0)) {
        wanted.lambda = before.lambda;
    }
    if (!(*wanted.beta > 0.0 && *wanted.beta < 1.0)) {
        wanted.beta = before.beta;
    }
    if (!(*wanted.gamma >= 0.0 && std::isfinite(*wanted.gamma))) {
        wanted.gamma = before.gamma;
    }
}

void keepEpsilonInRange(const AnalysisSettings& before, double bound, AnalysisSettings& wanted) {
    if (!isAbove(bound, wanted.epsilon)) {
        wanted.epsilon = before.epsilon;
        wanted.epsilonChosen = before.epsilonChosen;
    }
    if (!isAbove(bound, wanted.epsilon)) {
        wanted.epsilon = bound + kSuggestedAboveBound;
        wanted.epsilonChosen = false;
    }
    EpsilonScale& scale = wanted.epsilonScale;
    if (!isAbove(bound, scale.suggested)) {
        scale = before.epsilonScale;
    }
    if (!isAbove(bound, scale.suggested)) {
        scale = {bound + kSuggestedAboveBound, std::nullopt, std::nullopt};
    }
    if (!(scale.low > 0.0 && scale.high >= scale.low && std::isfinite(scale.high.value_or(0.0)))) {
        scale.low.reset();
        scale.high.reset();
    }
}

/// What follows for epsilon from another mechanism or parameter, where it is left alone.
void adaptEpsilon(const AnalysisSettings& before, double bound, AnalysisSettings& wanted) {
    const mechanism::Mechanism was = before.currentMechanism();
    const mechanism::Mechanism is = wanted.currentMechanism();
    if (is.sharesUnitWith(was)) {
        // Exploring has begun: epsilon must not move along with what the parameter is compared at.
        const bool isParameter =
            wanted.lambda() != before.lambda() || (is != was && is.isKindOf(was));
        wanted.epsilonChosen = wanted.epsilonChosen || isParameter;
        return;
    }
    wanted.epsilonChosen = false;
    wanted.epsilonScale = {wanted.epsilonScale.suggested, std::nullopt, std::nullopt};
    if (is.hasEpsilonBound()) {
        followDefaultAbove(bound, wanted);
    }
}

template <typename Value>
void replace(std::optional<Value>& last, const std::optional<Value>& given) {
    last = given ? given : last;
}

}  // namespace

mechanism::Mechanism MechanismSettings::recalled(const mechanism::Mechanism& of) const {
    mechanism::Parameters used = parameters;
    if (!gammaGiven) {
        used.gamma.reset();
    }
    return of.with(used);
}

void MechanismSettings::remember(const mechanism::Parameters& given) {
    replace(parameters.lambda, given.lambda);
    replace(parameters.metric, given.metric);
    replace(parameters.gamma, given.gamma);
    replace(parameters.beta, given.beta);
    replace(parameters.law, given.law);
}

void MechanismSettings::setMechanism(const mechanism::Mechanism& mechanism) {
    const auto all = mechanism::Mechanism::all();
    kind = *std::ranges::find_if(
        all, [&](const mechanism::Mechanism& one) { return one.isKindOf(mechanism); });
    remember(mechanism.parameters());
    if (mechanism.hasRadius()) {
        gammaGiven = mechanism.parameters().gamma.has_value();
    }
}

calibration::CalibrationOptions optionsUnder(const std::vector<calibration::Limit>& limits,
                                             calibration::CalibrationOptions options) {
    options.rerunWorst = !options.grid.mechanism.isExact() && calibration::holdMaximum(limits);
    return options;
}

mechanism::Grid AnalysisSettings::runGrid() const {
    mechanism::Grid run = mechanism::Grid::of(currentMechanism());
    run.epsilons = grid.epsilons;
    if (!run.mechanism.hasRadius() && run.mechanism.hasLambda()) {
        run.lambdas = grid.lambdas;
    }
    if (mechanism.gammaGiven) {
        run.gammas = grid.gammas;
    }
    run.betas = grid.betas;
    return run;
}

calibration::CalibrationOptions AnalysisSettings::calibrationOptions() const {
    calibration::CalibrationOptions options;
    options.grid = runGrid();
    options.words = words;
    options.draws = draws;
    options.seed = seed;
    return options;
}

bool AnalysisSettings::asksForRunOf(const AnalysisSettings& other) const {
    return runGrid() == other.runGrid() && words == other.words && draws == other.draws &&
           seed == other.seed;
}

void AnalysisSettings::chooseWords(const calibration::WordSelection& chosen,
                                   const std::optional<calibration::SelectionDescription>& from) {
    words = chosen;
    wordsSource = {from};
}

std::optional<calibration::SelectionDescription> AnalysisSettings::wordsFrom() const {
    return words.kind == calibration::WordSelection::Kind::list ? wordsSource.description
                                                                : std::nullopt;
}

void AnalysisSettings::chooseEpsilon(double value) {
    epsilon = value;
    epsilonChosen = true;
}

void AnalysisSettings::suggest(const EpsilonScale& scale) {
    epsilonScale = scale;
    if (!epsilonChosen) {
        epsilon = scale.suggested;
    }
}

AnalysisSettings accepted(const AnalysisSettings& before, AnalysisSettings wanted,
                          const embedding::EmbeddingHandle& embedding) {
    keepParametersInRange(before.mechanism.parameters, wanted.mechanism.parameters);
    if (wanted.draws < 1) {
        wanted.draws = before.draws;
    }
    const double bound = epsilonBound(wanted, embedding);
    const bool leavesEpsilon = wanted.epsilon == before.epsilon &&
                               wanted.epsilonChosen == before.epsilonChosen &&
                               wanted.epsilonScale == before.epsilonScale;
    if (leavesEpsilon) {
        adaptEpsilon(before, bound, wanted);
    }
    if (wanted.largestDistance == before.largestDistance &&
        !wanted.currentMechanism().sharesUnitWith(before.currentMechanism())) {
        wanted.largestDistance.reset();
    }
    keepEpsilonInRange(before, bound, wanted);
    return wanted;
}

AnalysisSettings movedTo(const embedding::EmbeddingHandle& embedding,
                         const AnalysisSettings& before, bool isOtherFile) {
    AnalysisSettings wanted = before;
    if (!metricRefusal(embedding, *wanted.mechanism.parameters.metric).isEmpty()) {
        wanted.setParameters({.metric = metric::Metric::euclidean});
    }
    wanted.mechanism.setMechanism(runnableOn(embedding, wanted.currentMechanism()));
    if (isOtherFile) {
        wanted.largestDistance.reset();
        wanted.pin.reset();
        followDefaultAbove(epsilonBound(wanted, embedding), wanted);
    }
    return accepted(before, std::move(wanted), embedding);
}

}  // namespace epsilens::ui
