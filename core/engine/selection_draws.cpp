#include "core/engine/selection_draws.h"

#include <algorithm>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/engine/metric_rows.h"

namespace epsilens::engine {
namespace {

RankedVocabulary rankRow(const MetricSpace& space, MetricRow row) {
    const std::span distances(row.distances, static_cast<std::size_t>(space.wordCount()));
    return {rankWords(row.word, distances), std::move(row.neighbours)};
}

}  // namespace

Result<void> rankVocabulary(const MetricSpace& space, std::span<const Row> words, int neighbours,
                            int threads, const JobContext& job,
                            const std::function<void(std::size_t, const RankedVocabulary&)>& use) {
    // Where there are few words, few share a product: all threads should have some.
    constexpr std::size_t kFewest = 8;
    constexpr std::size_t kMost = 256;
    constexpr std::size_t kTasks = 64;
    const std::size_t wordsPerTask =
        std::min(std::clamp(words.size() / kTasks, kFewest, kMost),
                 static_cast<std::size_t>(MetricRows::wordsAtOnce(space)));
    const std::size_t tasks = (words.size() + wordsPerTask - 1) / wordsPerTask;
    return inParallel(
        tasks, threads, "Outputs", job, [](int) { return MetricRows(false); },
        [&](MetricRows& rows, std::size_t task) {
            const std::size_t first = task * wordsPerTask;
            const std::size_t count = std::min(wordsPerTask, words.size() - first);
            rows.load(space, words.subspan(first, count));
            for (std::size_t i = 0; i < count && !job.stopRequested(); ++i) {
                use(first + i,
                    rankRow(space, rows.finish(static_cast<std::int64_t>(i), neighbours)));
            }
        });
}

std::vector<double> selectionQuantiles(std::uint64_t seed, int draws) {
    std::vector<double> quantiles;
    quantiles.reserve(static_cast<std::size_t>(draws));
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
