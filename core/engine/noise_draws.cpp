#include "core/engine/noise_draws.h"

#include <memory>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/engine/draw_sweep.h"

namespace epsilens::engine {
namespace {

DrawSweep sweepOf(std::span<const Row> words, const SelectionOptions& options,
                  std::string_view stage) {
    constexpr std::int64_t kScratchBytes = std::int64_t{96} << 20;
    DrawSweep sweep{words,           {options.seed, StreamPurpose::sentence, 0},
                    options.draws,   kScratchBytes,
                    options.threads, stage};
    sweep.inAnyOrder = true;
    return sweep;
}

}  // namespace

Result<std::vector<SelectionOutputs>> drawOutputs(const NoiseSeries& series,
                                                  std::span<const Row> words,
                                                  std::span<const double> epsilons,
                                                  const SelectionOptions& options,
                                                  const JobContext& job) {
    std::vector<SelectionOutputs> results(words.size());
    for (SelectionOutputs& result : results) {
        result.outputs.assign(epsilons.size(),
                              std::vector<Row>(static_cast<std::size_t>(options.draws)));
    }
    const std::unique_ptr<SearchBatch> batch = series.batch(epsilons, options.threads, job);
    RETURN_IF_ERROR(sweepDraws(
        series, *batch, sweepOf(words, options, "Sampling"), job,
        [&](DrawSearch& search, std::int64_t word, std::int64_t /*variant*/, std::int64_t draw) {
            std::vector<std::int32_t> positions(epsilons.size());
            search.nearestAtAll(positions);
            auto& outputs = results[static_cast<std::size_t>(word)].outputs;
            for (std::size_t epsilon = 0; epsilon < positions.size(); ++epsilon) {
                outputs[epsilon][static_cast<std::size_t>(draw)] =
                    series.space().rowAt(positions[epsilon]);
            }
        },
        [&](const SearchBatch& searched, std::int64_t first, std::int64_t count) {
            parallelFor(count, options.threads, [&](std::int64_t word) {
                results[static_cast<std::size_t>(first + word)].neighbours =
                    searched.neighbours(word, options.neighbours);
            });
        }));
    return results;
}

std::vector<Row> outputsAt(const WordPaths& paths, double epsilon) {
    std::vector<Row> outputs;
    for (const DrawPath& path : paths) {
        outputs.push_back(path.output(epsilon));
    }
    return outputs;
}

Result<std::vector<WordPaths>> computePaths(const NoiseSeries& series, std::span<const Row> words,
                                            const SelectionOptions& options,
                                            const JobContext& job) {
    std::vector<WordPaths> paths(words.size(), WordPaths(static_cast<std::size_t>(options.draws)));
    const std::unique_ptr<SearchBatch> batch = series.batch({}, options.threads, job);
    RETURN_IF_ERROR(sweepDraws(
        series, *batch, sweepOf(words, options, "Paths"), job,
        [&](DrawSearch& search, std::int64_t word, std::int64_t /*variant*/, std::int64_t draw) {
            paths[static_cast<std::size_t>(word)][static_cast<std::size_t>(draw)] = search.path();
        }));
    return paths;
}

}  // namespace epsilens::engine
