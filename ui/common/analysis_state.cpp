#include "ui/common/analysis_state.h"

#include <cmath>
#include <utility>

namespace epsilens::ui {

namespace {

/// Of the default epsilon of riemannian noise, which exists above a bound only.
constexpr double kSuggestedAboveBound = 10.0;

bool sameSelection(const calibration::WordSelection& a, const calibration::WordSelection& b) {
    return a.kind == b.kind && a.count == b.count && a.rows == b.rows;
}

}  // namespace

AnalysisState::AnalysisState(QObject* parent) : QObject(parent) {}

std::shared_ptr<const embedding::PcaBasis> AnalysisState::basis() const {
    return m_embedding
               ? std::shared_ptr<const embedding::PcaBasis>(m_embedding, &m_embedding->basis)
               : nullptr;
}

MechanismChoice AnalysisState::choice() const {
    return m_settings.normalised();
}

double AnalysisState::epsilonBound() const {
    return m_embedding ? m_settings.epsilonBound(m_embedding->dimensions()) : 0.0;
}

calibration::CalibrationOptions AnalysisState::calibrationOptions() const {
    calibration::CalibrationOptions options = optionsOf(choice());
    options.epsilons = m_gridEpsilons;
    if (m_settings.kind == mechanism::Kind::mahalanobis) {
        options.lambdas = m_gridLambdas;
    }
    if (m_settings.gamma) {
        options.gammas = m_gridGammas;
    }
    options.betas = m_gridBetas;
    options.words = m_words;
    options.draws = m_draws;
    options.seed = m_seed;
    return options;
}

void AnalysisState::setEmbedding(embedding::EmbeddingHandle embedding,
                                 engine::SearchSpaceHandle space) {
    const bool sameSource = m_embedding && embedding &&
                            m_embedding->embedding.path == embedding->embedding.path &&
                            m_embedding->embedding.name == embedding->embedding.name;
    m_embedding = std::move(embedding);
    m_searchSpace = std::move(space);
    m_metricSpaces = std::make_shared<MetricSpaceCache>();
    m_selectedWord.reset();
    if (!sameSource) {
        m_epsilonChosen = false;
        m_gridChosen = false;
        m_largestDistance.reset();
    }
    const MechanismChoice before = choice();
    const double epsilonBefore = m_epsilon;
    giveWay();
    keepEpsilonPossible();
    Q_EMIT embeddingChanged();
    if (m_settings.kind != before.kind) {
        Q_EMIT mechanismChanged();
    }
    if (choice() != before) {
        Q_EMIT parametersChanged();
        Q_EMIT choiceChanged();
    }
    if (m_epsilon != epsilonBefore) {
        Q_EMIT epsilonChanged(m_epsilon);
    }
    Q_EMIT selectedWordChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::giveWay() {
    if (!m_embedding) {
        return;
    }
    if (!metricRefusal(m_embedding, m_settings.metric).isEmpty()) {
        m_settings.metric = metric::Metric::euclidean;
    }
    for (const auto kind : {mechanism::Kind::mahalanobis, mechanism::Kind::laplace}) {
        if (!mechanismRefusal(m_embedding, m_settings.kind).isEmpty()) {
            m_settings.kind = kind;
        }
    }
}

void AnalysisState::forgetUnit() {
    m_epsilonChosen = false;
    m_gridChosen = false;
    m_largestDistance.reset();
    m_epsilonScale.low.reset();
    m_epsilonScale.high.reset();
    if (m_settings.isRiemannian()) {
        m_epsilonScale.suggested = epsilonBound() + kSuggestedAboveBound;
        m_epsilon = m_epsilonScale.suggested;
    }
}

void AnalysisState::keepEpsilonPossible() {
    const double bound = epsilonBound();
    if (!(m_epsilon > bound)) {
        m_epsilon = bound + kSuggestedAboveBound;
        m_epsilonChosen = false;
    }
    if (!(m_epsilonScale.suggested > bound)) {
        m_epsilonScale = {bound + kSuggestedAboveBound, std::nullopt, std::nullopt};
    }
}

void AnalysisState::takeSettings(const MechanismChoice& settings) {
    if (settings == m_settings) {
        return;
    }
    const MechanismChoice before = m_settings;
    const double epsilonBefore = m_epsilon;
    m_settings = settings;
    const bool choiceIsNew = choice() != before.normalised();
    const bool unitIsNew = !choice().sharesUnitWith(before.normalised());
    if (unitIsNew) {
        forgetUnit();
    } else if (choiceIsNew && m_settings.kind == before.kind) {
        // Exploring has begun, as with lambda.
        m_epsilonChosen = true;
    }
    keepEpsilonPossible();
    if (m_settings.kind != before.kind) {
        Q_EMIT mechanismChanged();
    }
    Q_EMIT parametersChanged();
    if (unitIsNew) {
        Q_EMIT epsilonScaleChanged();
    }
    if (choiceIsNew) {
        Q_EMIT choiceChanged();
    }
    if (m_epsilon != epsilonBefore) {
        Q_EMIT epsilonChanged(m_epsilon);
    }
    if (choiceIsNew) {
        Q_EMIT calibrationInputsChanged();
    }
}

void AnalysisState::setMechanism(mechanism::Kind mechanism) {
    MechanismChoice settings = m_settings;
    settings.kind = mechanism;
    takeSettings(settings);
}

void AnalysisState::setMetric(metric::Metric metric) {
    MechanismChoice settings = m_settings;
    settings.metric = metric;
    takeSettings(settings);
}

void AnalysisState::setLaw(mechanism::RadialLaw law) {
    MechanismChoice settings = m_settings;
    settings.law = law;
    takeSettings(settings);
}

void AnalysisState::setPlacement(mechanism::Placement placement) {
    MechanismChoice settings = m_settings;
    settings.placement = placement;
    takeSettings(settings);
}

void AnalysisState::setGammaGiven(bool given) {
    MechanismChoice settings = m_settings;
    settings.gamma = given ? std::optional(m_gamma) : std::nullopt;
    takeSettings(settings);
}

void AnalysisState::setGamma(double gamma) {
    if (!(gamma >= 0.0) || !std::isfinite(gamma) || gamma == m_gamma) {
        return;
    }
    m_gamma = gamma;
    MechanismChoice settings = m_settings;
    if (settings.gamma) {
        settings.gamma = gamma;
        takeSettings(settings);
    } else {
        Q_EMIT parametersChanged();
    }
}

void AnalysisState::setBeta(double beta) {
    if (beta > 0.0 && beta < 1.0) {
        MechanismChoice settings = m_settings;
        settings.beta = beta;
        takeSettings(settings);
    }
}

void AnalysisState::setLargestDistance(double distance) {
    if (distance != m_largestDistance) {
        m_largestDistance = distance;
        Q_EMIT largestDistanceChanged();
    }
}

void AnalysisState::setEpsilon(double epsilon) {
    if (!(epsilon > epsilonBound()) || !std::isfinite(epsilon) || epsilon == m_epsilon) {
        return;
    }
    m_epsilon = epsilon;
    m_epsilonChosen = true;
    Q_EMIT epsilonChanged(m_epsilon);
}

void AnalysisState::setEpsilonRange(double suggested, double low, double high) {
    if (!(suggested > epsilonBound()) || !std::isfinite(suggested)) {
        return;
    }
    m_epsilonScale = EpsilonScale{suggested, std::nullopt, std::nullopt};
    if (low > 0.0 && high >= low && std::isfinite(high)) {
        m_epsilonScale.low = low;
        m_epsilonScale.high = high;
    }
    Q_EMIT epsilonScaleChanged();
    if (!m_epsilonChosen && m_epsilon != suggested) {
        m_epsilon = suggested;
        Q_EMIT epsilonChanged(m_epsilon);
    }
}

void AnalysisState::setLambda(double lambda) {
    if (!(lambda >= 0.0 && lambda <= 1.0) || lambda == m_settings.lambda) {
        return;
    }
    const bool isInUse = choice().hasLambda();
    const bool isFixedInGrid = isInUse && m_settings.kind == mechanism::Kind::tem;
    m_settings.lambda = lambda;
    // Exploring has begun: epsilon must not move along with what lambda is compared at.
    m_epsilonChosen = true;
    Q_EMIT lambdaChanged(lambda);
    if (isInUse) {
        Q_EMIT choiceChanged();
    }
    if (isFixedInGrid) {
        Q_EMIT calibrationInputsChanged();
    }
}

void AnalysisState::setDraws(int draws) {
    if (draws < 1 || draws == m_draws) {
        return;
    }
    m_draws = draws;
    Q_EMIT drawsChanged(m_draws);
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setWords(const calibration::WordSelection& words) {
    if (sameSelection(words, m_words)) {
        return;
    }
    m_words = words;
    Q_EMIT wordsChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setSeed(std::uint64_t seed) {
    if (seed == m_seed) {
        return;
    }
    m_seed = seed;
    Q_EMIT seedChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setBand(PercentileBand band) {
    if (band == m_band) {
        return;
    }
    m_band = band;
    Q_EMIT bandChanged();
}

void AnalysisState::setGridEpsilons(std::vector<double> epsilons) {
    m_gridChosen = true;
    replaceGridEpsilons(std::move(epsilons));
}

void AnalysisState::setDefaultGridEpsilons(std::vector<double> epsilons) {
    if (!m_gridChosen) {
        replaceGridEpsilons(std::move(epsilons));
    }
}

void AnalysisState::replaceGridEpsilons(std::vector<double> epsilons) {
    if (epsilons == m_gridEpsilons) {
        return;
    }
    m_gridEpsilons = std::move(epsilons);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setGridLambdas(std::vector<double> lambdas) {
    if (lambdas == m_gridLambdas) {
        return;
    }
    m_gridLambdas = std::move(lambdas);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setGridBetas(std::vector<double> betas) {
    if (betas == m_gridBetas) {
        return;
    }
    m_gridBetas = std::move(betas);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setGridGammas(std::vector<double> gammas) {
    if (gammas == m_gridGammas) {
        return;
    }
    m_gridGammas = std::move(gammas);
    Q_EMIT gridChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setSelectedWord(std::optional<embedding::Row> word) {
    if (word == m_selectedWord) {
        return;
    }
    m_selectedWord = word;
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
