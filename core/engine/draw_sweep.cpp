#include "core/engine/draw_sweep.h"

#include <algorithm>
#include <memory>

#include "core/base/parallel.h"
#include "core/engine/column_kernel.h"

namespace epsilens::engine {

Result<void> sweepDraws(const NoiseSeries& series, SearchBatch& batch, const DrawSweep& sweep,
                        const JobContext& job, const VisitDraw& visit, const VisitGroup& finished) {
    const std::int64_t words = std::ssize(sweep.words);
    const std::int64_t variants = series.variants();
    const std::int64_t group = std::max<std::int64_t>(
        1, std::min({sweep.scratchBytes / series.rowBytes(), sweep.wordsAtOnce, words}));
    const std::int64_t chunk = std::clamp<std::int64_t>(
        sweep.scratchBytes / (series.rowBytes() * variants), 1, sweep.draws);
    std::int64_t loaded = -1;
    for (std::int64_t firstWord = 0; firstWord < words; firstWord += group) {
        const std::int64_t count = std::min(group, words - firstWord);
        batch.setWords(sweep.words.subspan(static_cast<std::size_t>(firstWord),
                                           static_cast<std::size_t>(count)));
        const std::int64_t workers = workersOf(sweep.threads);
        const std::int64_t perTask =
            std::clamp<std::int64_t>(count / (2 * workers), 1, kColumnGroup);
        const std::int64_t parts =
            sweep.inAnyOrder ? std::max<std::int64_t>(1, workers / count) : 1;
        for (std::int64_t first = 0; first < sweep.draws && !job.stopRequested(); first += chunk) {
            const std::int64_t draws = std::min(chunk, sweep.draws - first);
            if (loaded != first) {
                batch.setDraws(sweep.source, first, draws);
                loaded = first;
            }
            const std::int64_t tasks = (count + perTask - 1) / perTask;
            parallelFor(tasks * parts, sweep.threads, [&](std::int64_t task) {
                const std::unique_ptr<DrawSearch> search = batch.search();
                const std::int64_t firstOfTask = task / parts * perTask;
                const std::int64_t end = std::min(firstOfTask + perTask, count);
                const std::int64_t part = task % parts;
                const std::int64_t last = variants * draws * (part + 1) / parts;
                for (std::int64_t column = variants * draws * part / parts; column < last;
                     column += kColumnGroup) {
                    const std::int64_t endColumn = std::min(column + kColumnGroup, last);
                    for (std::int64_t word = firstOfTask; word < end; ++word) {
                        if (job.stopRequested()) {
                            return;
                        }
                        search->setWord(word);
                        for (std::int64_t at = column; at < endColumn; ++at) {
                            search->setDraw(at / draws, at % draws);
                            visit(*search, firstWord + word, at / draws, first + at % draws);
                        }
                    }
                }
            });
            job.progress(firstWord * sweep.draws + count * (first + draws), words * sweep.draws,
                         sweep.stage);
        }
        RETURN_IF_ERROR(job.checkStop());
        if (finished) {
            finished(batch, firstWord, count);
        }
    }
    return {};
}

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
