#include "core/engine/sorted_search.h"

#include <algorithm>
#include <cmath>

namespace epsilens::engine {

SortedSearch::SortedSearch(const SearchSpace& space) : LineSearch(space) {
    m_tables.positions = space.regularPositions();
    m_tables.outlyingTiles = tileCount(space.positions() - space.regularPositions());
}

void SortedSearch::setWord(Row word, const ScoreColumns& words, std::int64_t index) {
    selectWord(word);
    m_wordVector = space().vectors().row(wordPosition()).data();
    m_wordNorm = std::sqrt(space().squaredNorms()[wordPosition()]);
    m_tables.a = words.column(index);
    m_tables.leastA = words.list(index);
    m_tables.outlyingA = words.outlying(index);
    m_tables.errorA = static_cast<float>(
        scoreErrorPerAlpha(space().vectors().cols(), m_wordNorm, space().largestRegularNorm()));
}

void SortedSearch::setDraw(const float* noise, double norm, const ScoreColumns& draws,
                           std::int64_t index) {
    m_noise = noise;
    m_noiseNorm = norm;
    m_tables.q = draws.column(index);
    m_tables.leastQ = draws.list(index);
    m_tables.outlyingQ = draws.outlying(index);
    m_tables.errorQ = static_cast<float>(
        scoreErrorPerTau(space().vectors().cols(), norm, space().largestRegularNorm()));
}

// An outlying word is nearest itself unless the noise is as long: most walks end at once.
void SortedSearch::boundByWord() {
    m_tables.ownQ.reset();
    if (wordPosition() >= m_tables.positions) {
        m_tables.ownQ =
            static_cast<float>(static_cast<double>(valueAt(m_tables.q, wordPosition())) +
                               scoreErrorPerTau(space().vectors().cols(), m_noiseNorm, m_wordNorm));
    }
}

void SortedSearch::nearest(std::span<const ScoreWeights> weights,
                           std::span<std::int32_t> positions) {
    boundByWord();
    for (std::size_t first = 0; first < weights.size(); first += kWalkWidth) {
        WalkWeights together;
        for (std::size_t lane = 0; lane < kWalkWidth; ++lane) {
            const ScoreWeights& own = weights[std::min(first + lane, weights.size() - 1)];
            together.alpha[lane] = static_cast<float>(own.alpha);
            together.tau[lane] = static_cast<float>(own.tau);
        }
        walkLists(m_tables, together, m_findings);
        const std::size_t end = std::min(kWalkWidth, weights.size() - first);
        for (std::size_t lane = 0; lane < end; ++lane) {
            positions[first + lane] = m_findings.first[lane] == m_findings.last[lane]
                                          ? m_findings.first[lane]
                                          : decideInFloat64(weights[first + lane], lane);
        }
    }
}

void SortedSearch::nearestAtRates(std::span<const double> rates,
                                  std::span<std::int32_t> positions) {
    m_weights.clear();
    for (const double rate : rates) {
        m_weights.push_back(ScoreWeights::atEpsilon(rate));
    }
    nearest(m_weights, positions);
}

ScoreLine SortedSearch::lineOf(std::int32_t position) const {
    return scoreLine(m_wordVector, space().vectors().row(position).data(), m_noise,
                     space().vectors().cols());
}

ScoreLine SortedSearch::roughLineOf(std::int32_t position) const {
    return {valueAt(m_tables.a, position), -valueAt(m_tables.q, position)};
}

std::int32_t SortedSearch::decideInFloat64(const ScoreWeights& weights, std::size_t lane) {
    countRechecked();
    m_compared.clear();
    for (std::size_t i = 0; i < m_findings.count; ++i) {
        const std::int32_t position = m_findings.positions[i];
        const float computed = static_cast<float>(weights.tau) * m_findings.q[i] +
                               static_cast<float>(weights.alpha) * m_findings.a[i];
        if (computed <= m_findings.limit[lane] &&
            std::ranges::find(m_compared, position) == m_compared.end()) {
            m_compared.push_back(position);
        }
    }
    return leastOf(space(), m_compared, [&](std::int32_t position) {
        return exactScore(m_wordVector, space().vectors().row(position).data(), m_noise,
                          space().vectors().cols(), weights);
    });
}

}  // namespace epsilens::engine
