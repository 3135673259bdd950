#include "core/mechanism/truncated_exponential_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace epsilens::mechanism {
namespace {

double standardGumbel(SeededStream& stream) {
    return -std::log(-std::log(stream.uniform()));
}

// Index of the rank-th word beyond the radius.
std::size_t outsideWord(std::span<const double> distances, double gamma, std::uint64_t rank) {
    for (std::size_t i = 0; i < distances.size(); ++i) {
        if (distances[i] > gamma && rank-- == 0) {
            return i;
        }
    }
    return distances.size() - 1;
}

}  // namespace

std::size_t drawByGumbel(const TruncatedExponential& mechanism, std::span<const double> distances,
                         SeededStream& stream) {
    // Scores and noise in units of 2 / epsilon, which do not overflow for any epsilon.
    std::size_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    std::uint64_t outside = 0;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        if (distances[i] > mechanism.gamma()) {
            ++outside;
            continue;
        }
        const double score = -mechanism.exponent(distances[i]) + standardGumbel(stream);
        if (score > highest) {
            highest = score;
            best = i;
        }
    }
    if (outside == 0) {
        return best;
    }
    const double rest = -mechanism.cap() + std::log(static_cast<double>(outside));
    if (rest + standardGumbel(stream) <= highest) {
        return best;
    }
    return outsideWord(distances, mechanism.gamma(), stream.below(outside));
}

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
