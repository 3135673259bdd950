#include "ui/common/analysis_state.h"

#include <cmath>
#include <utility>

namespace epsilens::ui {

namespace {

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

double AnalysisState::effectiveLambda() const {
    return m_mechanism == mechanism::Kind::laplace ? 0.0 : m_lambda;
}

calibration::CalibrationOptions AnalysisState::calibrationOptions() const {
    calibration::CalibrationOptions options;
    options.mechanism = m_mechanism;
    options.epsilons = m_gridEpsilons;
    options.lambdas =
        m_mechanism == mechanism::Kind::laplace ? std::vector<double>{0.0} : m_gridLambdas;
    options.words = m_words;
    options.draws = m_draws;
    options.seed = m_seed;
    return options;
}

void AnalysisState::setEmbedding(embedding::EmbeddingHandle embedding,
                                 engine::SearchSpaceHandle space) {
    const bool sameSource =
        m_embedding && embedding && m_embedding->embedding.path == embedding->embedding.path;
    m_embedding = std::move(embedding);
    m_searchSpace = std::move(space);
    m_selectedWord.reset();
    if (!sameSource) {
        m_epsilonChosen = false;
        m_gridChosen = false;
    }
    Q_EMIT embeddingChanged();
    Q_EMIT selectedWordChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setMechanism(mechanism::Kind mechanism) {
    if (mechanism == m_mechanism) {
        return;
    }
    m_mechanism = mechanism;
    Q_EMIT mechanismChanged();
    Q_EMIT calibrationInputsChanged();
}

void AnalysisState::setEpsilon(double epsilon) {
    if (!(epsilon > 0.0) || !std::isfinite(epsilon) || epsilon == m_epsilon) {
        return;
    }
    m_epsilon = epsilon;
    m_epsilonChosen = true;
    Q_EMIT epsilonChanged(m_epsilon);
}

void AnalysisState::setEpsilonRange(double suggested, double low, double high) {
    if (!(suggested > 0.0) || !std::isfinite(suggested)) {
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
    if (!(lambda >= 0.0 && lambda <= 1.0) || lambda == m_lambda) {
        return;
    }
    m_lambda = lambda;
    // Exploring has begun: epsilon must not move along with what lambda is compared at.
    m_epsilonChosen = true;
    Q_EMIT lambdaChanged(m_lambda);
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
