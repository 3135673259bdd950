#include "core/engine/sorted_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace epsilens::engine {

void SortedSearch::setWord(Row word, const ScoreColumns& words, std::int64_t index) {
    const Eigen::Index position = m_space.positionOf(word);
    m_wordPosition = static_cast<std::int32_t>(position);
    m_wordVector = m_space.vectors().row(position).data();
    m_tables.positions = m_space.positions();
    m_tables.a = words.column(index);
    m_tables.leastA = words.list(index);
    m_tables.errorA = static_cast<float>(
        scoreErrorPerAlpha(m_space, std::sqrt(m_space.squaredNorms()[position])));
}

void SortedSearch::setDraw(const float* noise, double norm, const ScoreColumns& draws,
                           std::int64_t index) {
    m_noise = noise;
    m_tables.q = draws.column(index);
    m_tables.leastQ = draws.list(index);
    m_tables.errorQ = static_cast<float>(scoreErrorPerTau(m_space, norm));
}

void SortedSearch::nearest(std::span<const ScoreWeights> weights,
                           std::span<std::int32_t> positions) {
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

std::int32_t SortedSearch::nearestAtRate(double rate, std::int32_t /*guess*/) {
    const ScoreWeights weights = ScoreWeights::atEpsilon(rate);
    std::int32_t position = 0;
    nearest({&weights, 1}, {&position, 1});
    return position;
}

void SortedSearch::nearestAtRates(std::span<const double> rates,
                                  std::span<const std::int32_t> /*guesses*/,
                                  std::span<std::int32_t> positions) {
    m_weights.clear();
    for (const double rate : rates) {
        m_weights.push_back(ScoreWeights::atEpsilon(rate));
    }
    nearest(m_weights, positions);
}

ScoreLine SortedSearch::lineOf(std::int32_t position) const {
    return scoreLine(m_wordVector, m_space.vectors().row(position).data(), m_noise,
                     m_space.vectors().cols());
}

ScoreLine SortedSearch::roughLineOf(std::int32_t position) const {
    const auto valueIn = [position](const Column& column) {
        const float value = column.table[position * column.stride];
        return column.norms == nullptr
                   ? value
                   : std::max(0.0F, column.norms[position] + column.ownNorm + value);
    };
    return {valueIn(m_tables.a), -valueIn(m_tables.q)};
}

std::int32_t SortedSearch::decideInFloat64(const ScoreWeights& weights, std::size_t lane) {
    ++m_rechecked;
    m_compared.clear();
    double best = std::numeric_limits<double>::infinity();
    std::int32_t winner = -1;
    for (std::size_t i = 0; i < m_findings.count; ++i) {
        const std::int32_t position = m_findings.positions[i];
        const float computed = static_cast<float>(weights.tau) * m_findings.q[i] +
                               static_cast<float>(weights.alpha) * m_findings.a[i];
        if (computed > m_findings.limit[lane] ||
            std::find(m_compared.begin(), m_compared.end(), position) != m_compared.end()) {
            continue;
        }
        m_compared.push_back(position);
        const double score = exactScore(m_wordVector, m_space.vectors().row(position).data(),
                                        m_noise, m_space.vectors().cols(), weights);
        if (winner < 0 || score < best ||
            (score == best && m_space.rowAt(position) < m_space.rowAt(winner))) {
            best = score;
            winner = position;
        }
    }
    return winner;
}

}  // namespace epsilens::engine
