#include "core/engine/noise_draws.h"

#include <algorithm>
#include <memory>

#include "core/base/parallel.h"

namespace epsilens::engine {
namespace {

// Rows of scores held at once, in bytes.
constexpr std::int64_t kDrawScratchBytes = std::int64_t{96} << 20;

std::int64_t rowsWithin(const NoiseSeries& series, std::int64_t wanted) {
    return std::clamp<std::int64_t>(kDrawScratchBytes / (series.rowBytes() * series.variants()), 1,
                                    std::max<std::int64_t>(wanted, 1));
}

// Outputs of the words of the batch, `first` on, under the draws of the batch, `firstDraw` on.
void searchBatch(const NoiseSeries& series, const SearchBatch& batch, std::int64_t words,
                 std::int64_t firstDraw, std::int64_t draws, int threads, const JobContext& job,
                 std::span<SelectionOutputs> results) {
    parallelFor(words, threads, [&](std::int64_t word) {
        const std::unique_ptr<DrawSearch> search = batch.search();
        search->setWord(word);
        SelectionOutputs& result = results[static_cast<std::size_t>(word)];
        std::vector<std::int32_t> positions(result.outputs.size());
        for (std::int64_t draw = 0; draw < draws && !job.stopRequested(); ++draw) {
            search->setDraw(0, draw);
            search->nearestAtAll(positions);
            for (std::size_t epsilon = 0; epsilon < positions.size(); ++epsilon) {
                result.outputs[epsilon][static_cast<std::size_t>(firstDraw + draw)] =
                    series.space().rowAt(positions[epsilon]);
            }
        }
    });
}

}  // namespace

Result<std::vector<SelectionOutputs>> drawOutputs(const NoiseSeries& series,
                                                  std::span<const Row> words,
                                                  std::span<const double> epsilons,
                                                  const SelectionOptions& options,
                                                  const JobContext& job) {
    const auto draws = static_cast<std::size_t>(options.draws);
    std::vector<SelectionOutputs> results(words.size());
    for (SelectionOutputs& result : results) {
        result.outputs.assign(epsilons.size(), std::vector<Row>(draws));
    }
    const std::unique_ptr<SearchBatch> batch = series.batch(epsilons, options.threads, job);
    const DrawSource source{options.seed, StreamPurpose::sentence, 0};
    const auto groupSize =
        static_cast<std::size_t>(rowsWithin(series, static_cast<std::int64_t>(words.size())));
    const std::int64_t drawsAtOnce = rowsWithin(series, options.draws);
    for (std::size_t first = 0; first < words.size(); first += groupSize) {
        const auto group = words.subspan(first, std::min(groupSize, words.size() - first));
        const auto count = static_cast<std::int64_t>(group.size());
        const auto shown = std::span(results).subspan(first, group.size());
        batch->setWords(group);
        for (std::int64_t draw = 0; draw < options.draws; draw += drawsAtOnce) {
            const std::int64_t some = std::min<std::int64_t>(drawsAtOnce, options.draws - draw);
            batch->setDraws(source, draw, some);
            searchBatch(series, *batch, count, draw, some, options.threads, job, shown);
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
        }
        parallelFor(count, options.threads, [&](std::int64_t word) {
            shown[static_cast<std::size_t>(word)].neighbours =
                batch->neighbours(word, options.neighbours);
        });
        job.progress(static_cast<double>(first + group.size()) / static_cast<double>(words.size()),
                     "Sampling");
    }
    return results;
}

}  // namespace epsilens::engine
