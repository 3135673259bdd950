#include "core/experiment/attack/evidence.h"

#include <cmath>
#include <limits>
#include <utility>

namespace epsilens::experiment {
namespace {

// Smaller likelihoods would turn denormal; no guess depends on them.
constexpr float kNegligible = -80.0F;

}  // namespace

std::size_t Evidence::observationsAtOnce(Eigen::Index words) {
    // Enough rows that a matrix product does not spend its time on packing the vocabulary.
    constexpr Eigen::Index kMostNumbers = Eigen::Index{8} << 20;
    return static_cast<std::size_t>(std::clamp<Eigen::Index>(kMostNumbers / words, 64, 256));
}

Evidence::Evidence(const EvidenceQuestion& question, std::vector<std::int64_t> tokens)
    : m_block(observationsAtOnce(question.logPrior.size())), m_tokens(std::move(tokens)) {
    for (const std::size_t first : question.observations.firstEqual(m_tokens)) {
        const std::size_t place = m_places.size();
        m_places.push_back(first == place ? m_distinct.size() : m_places[first]);
        if (first == place) {
            m_distinct.push_back(m_tokens[place]);
        }
    }
    m_guesses.resize(m_distinct.size());
    if (question.chain != nullptr) {
        m_likelihoods.resize(static_cast<Eigen::Index>(m_distinct.size()),
                             question.chain->states());
        m_others.resize(m_distinct.size());
    }
}

std::size_t Evidence::blocks() const {
    return (m_distinct.size() + m_block - 1) / m_block;
}

EvidenceReader::EvidenceReader(const EvidenceQuestion& question)
    : m_question(question), m_reader(question.observations.reader()) {
    if (question.chain != nullptr) {
        m_logPriorOfStates = question.logPrior(question.chain->linked());
    }
}

void EvidenceReader::read(Evidence& evidence, std::size_t block) {
    const std::size_t first = block * evidence.m_block;
    const auto observations =
        std::span(evidence.m_distinct)
            .subspan(first, std::min(evidence.m_block, evidence.m_distinct.size() - first));
    m_reader->read(observations, m_scores);
    for (Eigen::Index row = 0; row < m_scores.rows(); ++row) {
        m_scores.row(row) += m_question.logPrior.transpose();
        const std::span<const float> scores(m_scores.row(row).data(),
                                            static_cast<std::size_t>(m_scores.cols()));
        const std::size_t place = first + static_cast<std::size_t>(row);
        const BestGuess best = bestGuess(scores);
        evidence.m_guesses[place] = best.word;
        if (m_question.chain != nullptr) {
            readStates(row, best.score, static_cast<Eigen::Index>(place), evidence);
        }
    }
}

// largest  of the scores of the row
void EvidenceReader::readStates(Eigen::Index row, float largest, Eigen::Index place,
                                Evidence& evidence) {
    const WordChain& chain = *m_question.chain;
    const auto scores = m_scores.row(row).transpose();
    auto likelihood = evidence.m_likelihoods.row(place);
    likelihood.head(chain.otherState()) =
        ((scores(chain.linked()).transpose().array() - largest).max(kNegligible) -
         m_logPriorOfStates.array())
            .exp();
    m_scores.row(row)
        .transpose()(chain.linked())
        .setConstant(-std::numeric_limits<float>::infinity());
    const double prior = chain.law()[chain.otherState()];
    Evidence::OtherWord& other = evidence.m_others[static_cast<std::size_t>(place)];
    likelihood[chain.otherState()] = 0.0F;
    if (!(prior > 0.0)) {
        return;
    }
    const float most = scores.maxCoeff();
    other.row = static_cast<Row>(std::find(scores.begin(), scores.end(), most) - scores.begin());
    const auto sum = static_cast<double>((scores.array() - largest).max(kNegligible).exp().sum());
    other.share = std::exp(static_cast<double>(std::max(most - largest, kNegligible))) / sum;
    likelihood[chain.otherState()] = static_cast<float>(sum / prior);
}

}  // namespace epsilens::experiment
