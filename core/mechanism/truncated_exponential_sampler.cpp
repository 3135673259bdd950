#include "core/mechanism/truncated_exponential_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace epsilens::mechanism {

RankedWords rankWords(Row word, std::span<const double> distances) {
    RankedWords ranked;
    ranked.rows.resize(distances.size());
    std::iota(ranked.rows.begin(), ranked.rows.end(), Row{0});
    const auto key = [&](Row row) { return distances[static_cast<std::size_t>(row)]; };
    std::sort(ranked.rows.begin(), ranked.rows.end(), [&](Row a, Row b) {
        if (a == word || b == word) {
            return a == word && b != word;
        }
        return key(a) != key(b) ? key(a) < key(b) : a < b;
    });
    ranked.distances.reserve(distances.size());
    for (const Row row : ranked.rows) {
        ranked.distances.push_back(key(row));
    }
    return ranked;
}

OutputQuantiles::OutputQuantiles(const TruncatedExponential& mechanism, const RankedWords& words)
    : m_words(words) {
    m_cumulated.reserve(words.distances.size());
    double sum = 0.0;
    for (const double distance : words.distances) {
        sum += std::exp(-mechanism.exponent(distance));
        m_cumulated.push_back(sum);
    }
}

Row OutputQuantiles::at(double quantile) const {
    const auto found =
        std::lower_bound(m_cumulated.begin(), m_cumulated.end(), quantile * m_cumulated.back());
    const auto rank = std::min<std::ptrdiff_t>(found - m_cumulated.begin(),
                                               static_cast<std::ptrdiff_t>(m_cumulated.size()) - 1);
    return m_words.rows[static_cast<std::size_t>(rank)];
}

}  // namespace epsilens::mechanism
