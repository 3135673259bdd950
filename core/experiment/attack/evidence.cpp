#include "core/experiment/attack/evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/experiment/attack/list_attack.h"

namespace epsilens::experiment {
namespace {

// Smaller likelihoods would turn denormal; no guess depends on them.
constexpr float kNegligible = -80.0F;

}  // namespace

std::size_t Evidence::tokensAtOnce(Eigen::Index words) {
    // Enough rows that a matrix product does not spend its time on packing the vocabulary.
    constexpr Eigen::Index kMostNumbers = Eigen::Index{8} << 20;
    return static_cast<std::size_t>(std::clamp<Eigen::Index>(kMostNumbers / words, 64, 256));
}

void Evidence::read(std::span<const std::int64_t> tokens) {
    m_tokens.assign(tokens.begin(), tokens.end());
    m_reader->read(tokens, m_scores);
    m_ranked.clear();
    m_listedPosteriors.clear();
    m_others.resize(tokens.size());
    m_likelihoods.resize(m_scores.rows(), m_chain != nullptr ? m_chain->states() : 0);
    for (Eigen::Index place = 0; place < m_scores.rows(); ++place) {
        m_scores.row(place) += m_logPrior.transpose();
        const std::span<const float> scores(m_scores.row(place).data(),
                                            static_cast<std::size_t>(m_scores.cols()));
        m_ranked.push_back(bestGuesses(scores));
        if (!m_listed.empty()) {
            m_listedPosteriors.push_back(
                experiment::listedPosterior(scores, m_ranked.back().scores.front(), m_listed));
        }
        if (m_chain != nullptr) {
            readStates(place, m_ranked.back().scores.front());
        }
    }
}

// largest  of the scores of the token
void Evidence::readStates(Eigen::Index place, float largest) {
    RowMatrixF::RowXpr scores = m_scores.row(place);
    RowMatrixF::RowXpr likelihood = m_likelihoods.row(place);
    for (std::size_t state = 0; state < m_chain->linked().size(); ++state) {
        const Row word = m_chain->linked()[state];
        likelihood[static_cast<Eigen::Index>(state)] =
            std::exp(std::max(scores[word] - largest, kNegligible) - m_logPrior[word]);
        scores[word] = -std::numeric_limits<float>::infinity();
    }
    const double prior = m_chain->law()[m_chain->otherState()];
    OtherWord& other = m_others[static_cast<std::size_t>(place)];
    other = {};
    likelihood[m_chain->otherState()] = 0.0F;
    if (!(prior > 0.0)) {
        return;
    }
    const float best = scores.maxCoeff();
    other.row = static_cast<Row>(std::find(scores.begin(), scores.end(), best) - scores.begin());
    const auto sum = static_cast<double>((scores.array() - largest).max(kNegligible).exp().sum());
    other.share = std::exp(static_cast<double>(std::max(best - largest, kNegligible))) / sum;
    likelihood[m_chain->otherState()] = static_cast<float>(sum / prior);
}

Eigen::Index Evidence::placeOf(std::int64_t token) const {
    return std::lower_bound(m_tokens.begin(), m_tokens.end(), token) - m_tokens.begin();
}

}  // namespace epsilens::experiment
