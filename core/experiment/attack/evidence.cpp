#include "core/experiment/attack/evidence.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/engine/exponential_kernel.h"

namespace epsilens::experiment {
namespace {

// Smaller likelihoods would turn denormal; no guess depends on them.
constexpr float kNegligible = -80.0F;

}  // namespace

BestGuess bestGuess(const VectorF& scores) {
    const float best = scores.maxCoeff();
    return {static_cast<Row>(std::find(scores.begin(), scores.end(), best) - scores.begin()), best};
}

SureGuess sureGuess(const VectorF& scores) {
    const BestGuess best = bestGuess(scores);
    return {best.word,
            1.0 / (scores.array() - best.score).max(kNegligible).exp().cast<double>().sum()};
}

std::size_t Evidence::observationsAtOnce(Eigen::Index words) {
    // Enough rows that a matrix product does not spend its time on packing the vocabulary.
    constexpr Eigen::Index kMostNumbers = Eigen::Index{8} << 20;
    return static_cast<std::size_t>(std::clamp<Eigen::Index>(kMostNumbers / words, 64, 256));
}

Evidence::Evidence(const EvidenceQuestion& question, std::vector<std::int64_t> tokens)
    : m_block(observationsAtOnce(question.logPrior.size())), m_tokens(std::move(tokens)) {
    for (const std::size_t first : question.channel.firstEqual(m_tokens)) {
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

EvidenceReader::EvidenceReader(const EvidenceQuestion& question) : m_question(question) {
    if (question.chain != nullptr) {
        m_falls = engine::AlignedMatrix(1, engine::paddedRowLength(question.logPrior.size()));
        m_logPriorOfLinked = question.logPrior(question.chain->linked());
    }
}

void EvidenceReader::read(Evidence& evidence, std::size_t block) {
    const std::size_t first = block * evidence.m_block;
    const auto observations =
        std::span(evidence.m_distinct)
            .subspan(first, std::min(evidence.m_block, evidence.m_distinct.size() - first));
    m_question.channel.read(observations, m_scratch, [&](std::size_t i, VectorF& scores) {
        scores += m_question.logPrior;
        if (m_question.chain != nullptr) {
            readStates(scores, first + i, evidence);
        } else {
            evidence.m_guesses[first + i] = bestGuess(scores).word;
        }
    });
}

// Each score is looked at once: those of the linked words, then the others in their place.
void EvidenceReader::readStates(VectorF& scores, std::size_t place, Evidence& evidence) {
    const WordChain& chain = *m_question.chain;
    m_ofLinked = scores(chain.linked());
    scores(chain.linked()).setConstant(-std::numeric_limits<float>::infinity());
    const BestGuess ofOthers = bestGuess(scores);
    BestGuess best = ofOthers;
    if (m_ofLinked.size() > 0) {
        const BestGuess linked = bestGuess(m_ofLinked);
        const Row word = chain.linked()[static_cast<std::size_t>(linked.word)];
        if (linked.score > best.score || (linked.score == best.score && word < best.word)) {
            best = {word, linked.score};
        }
    }
    evidence.m_guesses[place] = best.word;
    auto likelihood = evidence.m_likelihoods.row(static_cast<Eigen::Index>(place));
    likelihood.head(chain.otherState()) =
        ((m_ofLinked.array() - best.score).max(kNegligible) - m_logPriorOfLinked.array())
            .exp()
            .transpose();
    const double prior = chain.law()[chain.otherState()];
    likelihood[chain.otherState()] = 0.0F;
    if (!(prior > 0.0)) {
        return;
    }
    Eigen::Map<VectorF>(m_falls.row(0), scores.size()) = (best.score - scores.array()).matrix();
    const double sum = engine::exponentialSum(m_falls.row(0), scores.size(), 1.0F, -kNegligible);
    const double most =
        std::exp(static_cast<double>(std::max(ofOthers.score - best.score, kNegligible)));
    evidence.m_others[place] = {ofOthers.word, most / sum};
    likelihood[chain.otherState()] = static_cast<float>(sum / prior);
}

}  // namespace epsilens::experiment
