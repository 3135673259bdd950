#include "core/engine/noise_draws.h"

#include "core/base/pass_on.h"

namespace epsilens::engine {
namespace {

DrawSweep sweepOf(std::span<const Row> words, const SelectionOptions& options) {
    return {.words = words,
            .source = {options.seed, StreamPurpose::sentence, 0},
            .draws = options.draws,
            .threads = options.threads};
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
    DrawSweep sweep = sweepOf(words, options);
    sweep.epsilons = epsilons;
    sweep.stage = "Sampling";
    RETURN_IF_ERROR(sweepDraws(
        series, sweep, job,
        [&](DrawSearch& search, std::size_t word, std::int64_t draw) {
            std::vector<std::int32_t> positions(epsilons.size());
            search.nearestAtAll(positions);
            for (std::size_t epsilon = 0; epsilon < positions.size(); ++epsilon) {
                results[word].outputs[epsilon][static_cast<std::size_t>(draw)] =
                    series.space().rowAt(positions[epsilon]);
            }
        },
        [&](const SearchBatch& batch, std::int64_t place, std::size_t word) {
            results[word].neighbours = batch.neighbours(place, options.neighbours);
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
    DrawSweep sweep = sweepOf(words, options);
    sweep.stage = "Paths";
    RETURN_IF_ERROR(sweepDraws(series, sweep, job,
                               [&](DrawSearch& search, std::size_t word, std::int64_t draw) {
                                   paths[word][static_cast<std::size_t>(draw)] = search.path();
                               }));
    return paths;
}

}  // namespace epsilens::engine
