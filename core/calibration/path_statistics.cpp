#include "core/calibration/path_statistics.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/calibration/run_results.h"
#include "core/calibration/word_order.h"

namespace epsilens::calibration {
namespace {

/// Words that a thread takes at a time.
constexpr std::size_t kPathsAtOnce = 16;

}  // namespace

Result<std::unique_ptr<SettingStatistics>> PathStatistics::create(engine::NoiseSeriesHandle series,
                                                                  const CalibrationOptions& options,
                                                                  const std::vector<Row>& words,
                                                                  const JobContext& job) {
    std::vector<Row> ordered;
    for (const std::size_t place : shuffledIndices(words.size(), options.seed)) {
        ordered.push_back(words[place]);
    }
    ASSIGN_OR_RETURN(auto paths, gatherPaths(*series, options, ordered, job));
    return std::make_unique<PathStatistics>(std::move(series), options, std::move(ordered),
                                            std::move(paths));
}

PathStatistics::PathStatistics(engine::NoiseSeriesHandle series, const CalibrationOptions& options,
                               std::vector<Row> words, std::vector<WordPaths> paths)
    : m_series(std::move(series)),
      m_options(options),
      m_words(std::move(words)),
      m_paths(std::move(paths)),
      m_interval(intervalOfBreaks()) {
    const int threads = options.threads > 0 ? options.threads : defaultThreadCount();
    for (int i = 0; i < threads; ++i) {
        m_counters.push_back(std::make_unique<statistics::WordOutputs>(*m_series, options.draws));
    }
}

// Below the smallest break and above the largest nothing changes any more.
EpsilonInterval PathStatistics::intervalOfBreaks() const {
    double least = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (const WordPaths& paths : m_paths) {
        for (const double t : paths.breaks) {
            least = std::min(least, t);
            largest = std::max(largest, t);
        }
    }
    EpsilonInterval interval;
    interval.origin = epsilonOrigin(m_options, m_series->space().embedding().dimensions());
    if (largest == 0.0) {
        interval.low = interval.origin + 0.5;
        interval.high = interval.origin + 1.0;
        return interval;
    }
    interval.low = interval.origin + 0.5 * (1.0 / largest - interval.origin);
    interval.high = interval.origin + 2.0 * (1.0 / least - interval.origin);
    return interval;
}

Result<std::vector<Cell>> PathStatistics::cells(std::span<const double> epsilons, CellNeeds needs,
                                                const JobContext& job) {
    std::vector<Cell> cells;
    for (const double epsilon : epsilons) {
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        cells.push_back(needs.outputs || needs.kw ? outputCell(epsilon, needs) : keptCell(epsilon));
    }
    return cells;
}

Cell PathStatistics::keptCell(double epsilon) const {
    std::vector<float> kept;
    std::int64_t sum = 0;
    for (const WordPaths& paths : m_paths) {
        const std::int64_t count = paths.keptAt(epsilon);
        kept.push_back(static_cast<float>(count));
        sum += count;
    }
    Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = m_series->lambda(0);
    cell.nw = statistics::summarize(kept);
    cell.kept = static_cast<double>(sum) /
                (static_cast<double>(m_paths.size()) * static_cast<double>(m_options.draws));
    return cell;
}

void PathStatistics::countWords(double epsilon, std::vector<statistics::WordStatistics>& words,
                                std::vector<statistics::CountedOutputs>& outputs) {
    std::atomic<std::size_t> next{0};
    parallelFor(
        static_cast<std::int64_t>(m_counters.size()), m_options.threads, [&](std::int64_t worker) {
            statistics::WordOutputs& counter = *m_counters[static_cast<std::size_t>(worker)];
            std::vector<std::int32_t> positions(static_cast<std::size_t>(m_options.draws));
            engine::Neighbourhood near;
            for (std::size_t first = next.fetch_add(kPathsAtOnce); first < m_paths.size();
                 first = next.fetch_add(kPathsAtOnce)) {
                const std::size_t end = std::min(first + kPathsAtOnce, m_paths.size());
                for (std::size_t word = first; word < end; ++word) {
                    near.rows = m_paths[word].neighbours;
                    counter.setWord(m_words[word], near);
                    m_paths[word].outputsAt(epsilon, positions);
                    words[word] = counter.countOnly(positions);
                    if (!outputs.empty()) {
                        outputs[word] = statistics::countOutputs(positions);
                    }
                }
            }
        });
}

Cell PathStatistics::outputCell(double epsilon, CellNeeds needs) {
    std::vector<statistics::WordStatistics> words(m_paths.size());
    std::vector<statistics::CountedOutputs> outputs(needs.kw ? m_paths.size() : 0);
    countWords(epsilon, words, outputs);
    CellValues values;
    std::int64_t kept = 0;
    std::int64_t near = 0;
    for (const statistics::WordStatistics& word : words) {
        values.add(word);
        kept += word.kept;
        near += word.near;
    }
    const double all = static_cast<double>(words.size()) * m_options.draws;
    Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = m_series->lambda(0);
    cell.nw = statistics::summarize(values.nw);
    cell.sw = statistics::summarize(values.sw);
    cell.minEntropy = statistics::summarize(values.minEntropy);
    cell.shannonEntropy = statistics::summarize(values.shannonEntropy);
    cell.hartleyEntropy = statistics::summarize(values.hartleyEntropy);
    cell.kept = static_cast<double>(kept) / all;
    cell.near = static_cast<double>(near) / all;
    cell.far = (all - static_cast<double>(kept) - static_cast<double>(near)) / all;
    if (needs.kw) {
        const std::vector<std::int32_t> shared = statistics::sharedOutputs(outputs);
        cell.kw = statistics::summarize(std::vector<float>(shared.begin(), shared.end()));
    }
    return cell;
}

}  // namespace epsilens::calibration
