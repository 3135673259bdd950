#include "core/engine/draw_sweep.h"

#include <algorithm>
#include <memory>

#include "core/base/error.h"
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
            job.progress((static_cast<double>(firstWord) + static_cast<double>(count) *
                                                               static_cast<double>(first + draws) /
                                                               static_cast<double>(sweep.draws)) /
                             static_cast<double>(words),
                         sweep.stage);
        }
        RETURN_IF_ERROR(job.checkStop());
        if (finished) {
            finished(batch, firstWord, count);
        }
    }
    return {};
}

}  // namespace epsilens::engine
