#include "core/engine/selection_draws.h"

#include <algorithm>
#include <utility>

#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/engine/metric_rows.h"

namespace epsilens::engine {

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
