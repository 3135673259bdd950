#include "core/engine/paths.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/parallel.h"

namespace epsilens::engine {
namespace {

// Rows of distances or projections held at once, in bytes.
constexpr std::int64_t kPathScratchBytes = std::int64_t{192} << 20;
constexpr std::int64_t kDrawsPerTask = 5;

std::int64_t rowsWithin(const NoiseSeries& series, std::int64_t bytes, std::int64_t wanted) {
    return std::max<std::int64_t>(1, std::min(bytes / series.rowBytes(), wanted));
}

}  // namespace

PathTable::PathTable(std::vector<Row> words, int draws)
    : m_words(std::move(words)),
      m_draws(draws),
      m_paths(m_words.size() * static_cast<std::size_t>(draws)) {}

const DrawPath& PathTable::path(std::size_t word, int draw) const {
    return m_paths[word * static_cast<std::size_t>(m_draws) + static_cast<std::size_t>(draw)];
}

void PathTable::set(std::size_t word, int draw, DrawPath path) {
    m_paths[word * static_cast<std::size_t>(m_draws) + static_cast<std::size_t>(draw)] =
        std::move(path);
}

Row PathTable::output(std::size_t word, int draw, double epsilon) const {
    const DrawPath& whole = path(word, draw);
    const auto next = std::upper_bound(whole.breaks.begin(), whole.breaks.end(), 1.0 / epsilon);
    return whole.outputs[static_cast<std::size_t>(next - whole.breaks.begin())];
}

double PathTable::criticalEpsilon(std::size_t word, int draw) const {
    const DrawPath& whole = path(word, draw);
    if (whole.outputs.front() != m_words[word]) {
        return std::numeric_limits<double>::infinity();
    }
    return whole.breaks.empty() ? 0.0 : 1.0 / whole.breaks.front();
}

std::size_t PathTable::bytes() const {
    std::size_t total = m_paths.size() * sizeof(DrawPath);
    for (const DrawPath& whole : m_paths) {
        total += whole.breaks.size() * sizeof(double) + whole.outputs.size() * sizeof(Row);
    }
    return total;
}

Result<PathTable> computePaths(const NoiseSeries& series, const PathOptions& options,
                               const JobContext& job) {
    PathTable table(options.words, options.draws);
    const auto words = static_cast<std::int64_t>(options.words.size());
    const std::int64_t wordsAtOnce = rowsWithin(series, kPathScratchBytes / 2, words);
    const std::int64_t drawsAtOnce =
        rowsWithin(series, kPathScratchBytes / series.variants(), options.draws);
    const DrawSource source{options.seed, StreamPurpose::sentence, 0};
    const std::unique_ptr<SearchBatch> batch = series.batch({}, options.threads, job);
    for (std::int64_t firstDraw = 0; firstDraw < options.draws; firstDraw += drawsAtOnce) {
        const std::int64_t draws = std::min<std::int64_t>(drawsAtOnce, options.draws - firstDraw);
        batch->setDraws(source, firstDraw, draws);
        for (std::int64_t firstWord = 0; firstWord < words; firstWord += wordsAtOnce) {
            const std::int64_t group = std::min(wordsAtOnce, words - firstWord);
            batch->setWords(
                std::span(options.words)
                    .subspan(static_cast<std::size_t>(firstWord), static_cast<std::size_t>(group)));
            const std::int64_t parts = (draws + kDrawsPerTask - 1) / kDrawsPerTask;
            parallelFor(group * parts, options.threads, [&](std::int64_t task) {
                const std::int64_t word = task / parts;
                const std::int64_t begin = task % parts * kDrawsPerTask;
                const std::unique_ptr<DrawSearch> search = batch->search();
                search->setWord(word);
                for (std::int64_t draw = begin;
                     draw < std::min(begin + kDrawsPerTask, draws) && !job.stopRequested();
                     ++draw) {
                    search->setDraw(options.variant, draw);
                    table.set(static_cast<std::size_t>(firstWord + word),
                              static_cast<int>(firstDraw + draw), search->path());
                }
            });
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            job.progress((static_cast<double>(firstDraw) * static_cast<double>(words) +
                          static_cast<double>(draws * (firstWord + group))) /
                             (static_cast<double>(words) * options.draws),
                         "Paths");
        }
    }
    return table;
}

}  // namespace epsilens::engine
