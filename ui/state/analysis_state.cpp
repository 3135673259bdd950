#include "ui/state/analysis_state.h"

#include <cmath>
#include <utility>

#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

namespace {

/// Of the default epsilon while nothing is known; riemannian noise exists above a bound only.
constexpr double kSuggestedAboveBound = 10.0;
/// g of deniability: likelihoods within a factor of two pass for each other.
constexpr double kDeniabilityOdds = 2.0;

}  // namespace

AnalysisState::AnalysisState(QObject* parent) : QObject(parent) {}

std::shared_ptr<const embedding::PcaBasis> AnalysisState::basis() const {
    return m_embedding
               ? std::shared_ptr<const embedding::PcaBasis>(m_embedding, &m_embedding->basis)
               : nullptr;
}

double AnalysisState::epsilonBound() const {
    return m_embedding ? mechanism().epsilonBound(m_embedding->dimensions()) : 0.0;
}

calibration::CalibrationOptions AnalysisState::calibrationOptions() const {
    calibration::CalibrationOptions options;
    options.grid = mechanism::Grid::of(mechanism());
    options.grid.epsilons = m_settings.gridEpsilons;
    if (!options.grid.mechanism.hasRadius() && options.grid.mechanism.hasLambda()) {
        options.grid.lambdas = m_settings.gridLambdas;
    }
    if (m_settings.mechanism.gammaGiven) {
        options.grid.gammas = m_settings.gridGammas;
    }
    options.grid.betas = m_settings.gridBetas;
    options.words = m_settings.words;
    options.draws = m_settings.draws;
    options.seed = m_settings.seed;
    if (m_settings.comparesWords) {
        options.independentDraws = true;
        options.deniabilityOdds = kDeniabilityOdds;
    }
    return options;
}

void AnalysisState::setEmbedding(embedding::EmbeddingHandle embedding,
                                 engine::SearchSpaceHandle space) {
    const bool sameSource = m_embedding && embedding &&
                            m_embedding->embedding.path == embedding->embedding.path &&
                            m_embedding->embedding.name == embedding->embedding.name;
    const bool listIsOfOtherRows =
        m_settings.words.kind == calibration::WordSelection::Kind::list && embedding != m_embedding;
    m_embedding = std::move(embedding);
    m_searchSpace = std::move(space);
    m_metricSpaces = std::make_shared<MetricSpaceCache>();
    m_selectedWord.reset();
    const bool isUnpinned = !sameSource && m_pins.forget();
    if (listIsOfOtherRows) {
        m_settings.words = {};
    }
    m_wordSources.forget();
    const mechanism::Mechanism before = mechanism();
    const double epsilonBefore = m_settings.epsilon;
    const EpsilonScale scaleBefore = m_settings.epsilonScale;
    if (m_embedding && !metricRefusal(m_embedding, metric()).isEmpty()) {
        m_settings.mechanism.parameters.metric = metric::Metric::euclidean;
    }
    m_settings.mechanism.kind = runnableOn(m_embedding, mechanism());
    if (!sameSource) {
        forgetUnit();
        resetEpsilon();
    }
    keepEpsilonPossible();
    Q_EMIT embeddingDropped();
    Q_EMIT embeddingChanged();
    if (isUnpinned) {
        Q_EMIT m_pins.pinChanged();
    }
    if (m_settings.epsilonScale != scaleBefore) {
        Q_EMIT epsilonScaleChanged();
    }
    if (!mechanism().isKindOf(before)) {
        Q_EMIT mechanismChanged();
    }
    if (mechanism() != before) {
        Q_EMIT parametersChanged();
        Q_EMIT choiceChanged();
    }
    if (m_settings.epsilon != epsilonBefore) {
        Q_EMIT epsilonChanged(m_settings.epsilon);
    }
    if (listIsOfOtherRows) {
        Q_EMIT wordsChanged();
    }
    Q_EMIT selectedWordChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::forgetUnit() {
    m_settings.epsilonChosen = false;
    m_largestDistance.reset();
    m_settings.epsilonScale = {m_settings.epsilonScale.suggested, std::nullopt, std::nullopt};
    if (mechanism().hasEpsilonBound()) {
        resetEpsilon();
    }
}

void AnalysisState::resetEpsilon() {
    m_settings.epsilonScale = {epsilonBound() + kSuggestedAboveBound, std::nullopt, std::nullopt};
    m_settings.epsilon = m_settings.epsilonScale.suggested;
}

void AnalysisState::keepEpsilonPossible() {
    const double bound = epsilonBound();
    if (!(m_settings.epsilon > bound)) {
        m_settings.epsilon = bound + kSuggestedAboveBound;
        m_settings.epsilonChosen = false;
    }
    if (!(m_settings.epsilonScale.suggested > bound)) {
        m_settings.epsilonScale = {bound + kSuggestedAboveBound, std::nullopt, std::nullopt};
    }
}

void AnalysisState::takeSettings(const MechanismSettings& settings) {
    if (settings == m_settings.mechanism) {
        return;
    }
    const mechanism::Mechanism before = mechanism();
    const double epsilonBefore = m_settings.epsilon;
    m_settings.mechanism = settings;
    const bool choiceIsNew = mechanism() != before;
    const bool unitIsNew = !mechanism().sharesUnitWith(before);
    if (unitIsNew) {
        forgetUnit();
    } else if (choiceIsNew && mechanism().isKindOf(before)) {
        // Exploring has begun, as with lambda.
        m_settings.epsilonChosen = true;
    }
    keepEpsilonPossible();
    if (!mechanism().isKindOf(before)) {
        Q_EMIT mechanismChanged();
    }
    Q_EMIT parametersChanged();
    if (unitIsNew) {
        Q_EMIT epsilonScaleChanged();
    }
    if (choiceIsNew) {
        Q_EMIT choiceChanged();
    }
    if (m_settings.epsilon != epsilonBefore) {
        Q_EMIT epsilonChanged(m_settings.epsilon);
    }
    if (choiceIsNew) {
        Q_EMIT calibrationInputsChanged();
    }
}

void AnalysisState::takeParameters(const mechanism::Parameters& parameters) {
    MechanismSettings settings = m_settings.mechanism;
    settings.remember(parameters);
    takeSettings(settings);
}

void AnalysisState::setMechanism(const mechanism::Mechanism& mechanism) {
    MechanismSettings settings = m_settings.mechanism;
    settings.take(mechanism);
    setLambda(*settings.parameters.lambda);
    takeSettings(settings);
}

void AnalysisState::chooseMechanism(const mechanism::Mechanism& kind) {
    setMechanism(m_settings.mechanism.recalled(kind));
}

void AnalysisState::setMetric(metric::Metric metric) {
    takeParameters({.metric = metric});
}

void AnalysisState::setLaw(mechanism::RadialLaw law) {
    takeParameters({.law = law});
}

void AnalysisState::setPlacement(mechanism::Placement placement) {
    takeParameters({.placement = placement});
}

void AnalysisState::setGammaGiven(bool given) {
    MechanismSettings settings = m_settings.mechanism;
    settings.gammaGiven = given;
    takeSettings(settings);
}

void AnalysisState::setGamma(double gamma) {
    if (gamma >= 0.0 && std::isfinite(gamma)) {
        takeParameters({.gamma = gamma});
    }
}

void AnalysisState::setBeta(double beta) {
    if (beta > 0.0 && beta < 1.0) {
        takeParameters({.beta = beta});
    }
}

void AnalysisState::setLargestDistance(double distance) {
    if (distance != m_largestDistance) {
        m_largestDistance = distance;
        Q_EMIT largestDistanceChanged();
    }
}

void AnalysisState::setEpsilon(double epsilon) {
    if (!(epsilon > epsilonBound()) || !std::isfinite(epsilon) || epsilon == m_settings.epsilon) {
        return;
    }
    m_settings.epsilon = epsilon;
    m_settings.epsilonChosen = true;
    Q_EMIT epsilonChanged(m_settings.epsilon);
}

void AnalysisState::setEpsilonRange(double suggested, double low, double high, double alwaysKept) {
    if (!(suggested > epsilonBound()) || !std::isfinite(suggested)) {
        return;
    }
    m_settings.epsilonScale = EpsilonScale{suggested, std::nullopt, std::nullopt, alwaysKept};
    if (low > 0.0 && high >= low && std::isfinite(high)) {
        m_settings.epsilonScale.low = low;
        m_settings.epsilonScale.high = high;
    }
    Q_EMIT epsilonScaleChanged();
    if (!m_settings.epsilonChosen && m_settings.epsilon != suggested) {
        m_settings.epsilon = suggested;
        Q_EMIT epsilonChanged(m_settings.epsilon);
    }
}

void AnalysisState::setLambda(double lambda) {
    if (!(lambda >= 0.0 && lambda <= 1.0) || lambda == this->lambda()) {
        return;
    }
    const bool isInUse = mechanism().hasLambda();
    const bool isFixedInGrid = isInUse && mechanism().hasRadius();
    m_settings.mechanism.parameters.lambda = lambda;
    // Exploring has begun: epsilon must not move along with what lambda is compared at.
    m_settings.epsilonChosen = true;
    Q_EMIT lambdaChanged(lambda);
    if (isInUse) {
        Q_EMIT choiceChanged();
    }
    if (isFixedInGrid) {
        Q_EMIT calibrationInputsChanged();
    }
}

void AnalysisState::setDraws(int draws) {
    if (draws < 1 || draws == m_settings.draws) {
        return;
    }
    m_settings.draws = draws;
    Q_EMIT drawsChanged(m_settings.draws);
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setWords(const calibration::WordSelection& words) {
    if (words == m_settings.words) {
        return;
    }
    m_settings.words = words;
    Q_EMIT wordsChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setSeed(std::uint64_t seed) {
    if (seed == m_settings.seed) {
        return;
    }
    m_settings.seed = seed;
    Q_EMIT seedChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setBand(PercentileBand band) {
    if (band == m_settings.band) {
        return;
    }
    m_settings.band = band;
    Q_EMIT bandChanged();
}

void AnalysisState::setTextPolicies(const TextPolicies& policies) {
    if (policies == m_settings.textPolicies) {
        return;
    }
    m_settings.textPolicies = policies;
    Q_EMIT textPoliciesChanged();
}

void AnalysisState::setGridEpsilons(std::vector<double> epsilons) {
    if (epsilons == m_settings.gridEpsilons) {
        return;
    }
    m_settings.gridEpsilons = std::move(epsilons);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setGridLambdas(std::vector<double> lambdas) {
    if (lambdas == m_settings.gridLambdas) {
        return;
    }
    m_settings.gridLambdas = std::move(lambdas);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setGridBetas(std::vector<double> betas) {
    if (betas == m_settings.gridBetas) {
        return;
    }
    m_settings.gridBetas = std::move(betas);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setGridGammas(std::vector<double> gammas) {
    if (gammas == m_settings.gridGammas) {
        return;
    }
    m_settings.gridGammas = std::move(gammas);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setComparesWords(bool compares) {
    if (compares == m_settings.comparesWords) {
        return;
    }
    m_settings.comparesWords = compares;
    Q_EMIT comparesWordsChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setSettings(const AnalysisSettings& settings) {
    setGamma(*settings.mechanism.parameters.gamma);
    setLambda(*settings.mechanism.parameters.lambda);
    takeSettings(settings.mechanism);
    if (settings.epsilonScale != m_settings.epsilonScale) {
        m_settings.epsilonScale = settings.epsilonScale;
        Q_EMIT epsilonScaleChanged();
    }
    setEpsilon(settings.epsilon);
    m_settings.epsilonChosen = settings.epsilonChosen;
    setDraws(settings.draws);
    // Words may be drawn anew for a seed: those that are put back come after it.
    setSeed(settings.seed);
    setWords(settings.words);
    setBand(settings.band);
    setTextPolicies(settings.textPolicies);
    setGridEpsilons(settings.gridEpsilons);
    setGridLambdas(settings.gridLambdas);
    setGridBetas(settings.gridBetas);
    setGridGammas(settings.gridGammas);
    setComparesWords(settings.comparesWords);
}

void AnalysisState::pinCurrent() {
    m_pins.setPin(setting());
}

void AnalysisState::setSelectedWord(std::optional<Word> word) {
    if (word == m_selectedWord || (word && word->embedding() != m_embedding)) {
        return;
    }
    m_selectedWord = std::move(word);
    Q_EMIT selectedWordChanged();
}

void AnalysisState::setSentence(const QString& sentence) {
    if (sentence == m_sentence) {
        return;
    }
    m_sentence = sentence;
    Q_EMIT sentenceChanged();
}

}  // namespace epsilens::ui
