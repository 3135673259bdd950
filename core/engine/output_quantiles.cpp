#include "core/engine/output_quantiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <hwy/contrib/sort/vqsort.h>

#include "core/engine/exponential_kernel.h"

namespace epsilens::engine {

RankedWords rankWords(Row word, std::span<const float> distances) {
    // The bits of floats >= 0, of which -0 becomes one, rise with them: each key is a distance
    // before its row.
    std::vector<std::uint64_t> keys;
    keys.reserve(distances.size());
    for (const float distance : distances) {
        keys.push_back(std::uint64_t{std::bit_cast<std::uint32_t>(distance + 0.0F)} << 32 |
                       keys.size());
    }
    const std::uint64_t own = keys[static_cast<std::size_t>(word)];
    const hwy::Sorter sort;
    sort(keys.data(), keys.size(), hwy::SortAscending());
    const auto place = std::ranges::lower_bound(keys, own);
    std::rotate(keys.begin(), place, place + 1);
    RankedWords ranked;
    ranked.rows.reserve(keys.size());
    ranked.distances.reserve(keys.size());
    for (const std::uint64_t key : keys) {
        ranked.rows.push_back(static_cast<Row>(key & 0xFFFFFFFFU));
        ranked.distances.push_back(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32))));
    }
    return ranked;
}

OutputQuantiles::OutputQuantiles(const mechanism::TruncatedExponential& mechanism,
                                 const RankedWords& words)
    : m_words(words), m_cumulated(words.distances.size()) {
    const auto beyond = std::ranges::upper_bound(words.distances, mechanism.gamma());
    const auto within = static_cast<std::size_t>(beyond - words.distances.begin());
    exponentials(std::span(words.distances).first(within), 0.5 * mechanism.epsilon(),
                 std::span(m_cumulated).first(within));
    std::fill(m_cumulated.begin() + static_cast<std::ptrdiff_t>(within), m_cumulated.end(),
              std::exp(-mechanism.cap()));
    std::partial_sum(m_cumulated.begin(), m_cumulated.end(), m_cumulated.begin());
}

Row OutputQuantiles::at(double quantile) const {
    const auto found = std::ranges::lower_bound(m_cumulated, quantile * m_cumulated.back());
    const auto rank =
        std::min<std::ptrdiff_t>(found - m_cumulated.begin(), std::ssize(m_cumulated) - 1);
    return m_words.rows[static_cast<std::size_t>(rank)];
}

}  // namespace epsilens::engine
