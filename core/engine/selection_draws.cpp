#include "core/engine/selection_draws.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include <hwy/contrib/sort/vqsort.h>

#include "core/base/random_stream.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/metric_rows.h"

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

Result<void> rankVocabulary(const MetricSpace& space, std::span<const Row> words, int neighbours,
                            int threads, const JobContext& job,
                            const std::function<void(std::size_t, const RankedVocabulary&)>& use) {
    // Where there are few words, few share a product: all threads should have some.
    constexpr std::size_t kFewest = 8;
    constexpr std::size_t kMost = 256;
    constexpr std::size_t kTasks = 64;
    return sweepRows(
        {{&space, 1},
         words,
         std::clamp(words.size() / kTasks, kFewest, kMost),
         false,
         neighbours,
         threads,
         "Outputs"},
        job, [](int worker) { return worker; },
        [&](int /*worker*/, std::size_t word, std::size_t /*space*/, MetricRow row) {
            const std::span distances(row.distances, static_cast<std::size_t>(space.wordCount()));
            use(word, {rankWords(row.word, distances), std::move(row.neighbours)});
        });
}

std::vector<double> selectionQuantiles(std::uint64_t seed, int draws) {
    std::vector<double> quantiles;
    for (int draw = 0; draw < draws; ++draw) {
        SeededStream stream(
            StreamKey{seed, StreamPurpose::selection, 0, static_cast<std::uint32_t>(draw)});
        quantiles.push_back(stream.uniform());
    }
    return quantiles;
}

Result<std::vector<SelectionOutputs>> drawSelections(
    const MetricSpace& space, std::span<const Row> words,
    std::span<const mechanism::TruncatedExponential> mechanisms, const SelectionOptions& options,
    const JobContext& job) {
    const std::vector<double> quantiles = selectionQuantiles(options.seed, options.draws);
    std::vector<SelectionOutputs> result(words.size());
    const auto draw = [&](std::size_t word, const RankedVocabulary& vocabulary) {
        result[word].neighbours = vocabulary.neighbours;
        for (const mechanism::TruncatedExponential& mechanism : mechanisms) {
            const OutputQuantiles law(mechanism, vocabulary.ranked);
            std::vector<Row>& outputs = result[word].outputs.emplace_back();
            for (const double quantile : quantiles) {
                outputs.push_back(law.at(quantile));
            }
        }
    };
    RETURN_IF_ERROR(rankVocabulary(space, words, options.neighbours, options.threads, job, draw));
    return result;
}

}  // namespace epsilens::engine
