#include "core/engine/paths.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/draw_sweep.h"

namespace epsilens::engine {
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

Result<PathTable> computePaths(const NoiseSeries& series, const PathOptions& options,
                               const JobContext& job) {
    constexpr std::int64_t kScratchBytes = std::int64_t{96} << 20;
    PathTable table(options.words, options.draws);
    const std::unique_ptr<SearchBatch> batch = series.batch({}, options.threads, job);
    RETURN_IF_ERROR(sweepDraws(
        series, *batch,
        {options.words,
         {options.seed, StreamPurpose::sentence, 0},
         options.draws,
         kScratchBytes,
         options.threads,
         "Paths"},
        job,
        [&](DrawSearch& search, std::int64_t word, std::int64_t /*variant*/, std::int64_t draw) {
            table.set(static_cast<std::size_t>(word), static_cast<int>(draw), search.path());
        }));
    return table;
}

}  // namespace epsilens::engine
