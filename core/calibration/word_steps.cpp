#include "core/calibration/word_steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/word_blocks.h"

namespace epsilens::calibration {
namespace {

constexpr std::int64_t kStepScratchBytes = std::int64_t{192} << 20;
constexpr std::size_t kMostBytes = std::size_t{4} << 30;

/// Gathers the draws of one word. Outputs get their place in the order in which they first appear.
class StepBuilder {
public:
    void add(const engine::DrawPath& path, const engine::SearchSpace& space) {
        std::uint32_t from = placeOf(space.positionOf(path.outputs.front()));
        for (std::size_t i = 0; i < path.breaks.size(); ++i) {
            const std::uint32_t to = placeOf(space.positionOf(path.outputs[i + 1]));
            m_changes.push_back({path.breaks[i], from, to});
            from = to;
        }
    }

    WordSteps finish(const engine::NoiseSeries& series, Row word,
                     const engine::Neighbourhood& neighbours) {
        const engine::SearchSpace& space = series.space();
        const std::unordered_set<Row> near(neighbours.rows.begin(), neighbours.rows.end());
        const auto own = static_cast<std::int32_t>(space.positionOf(word));
        WordSteps steps;
        steps.word = word;
        for (const std::int32_t position : m_positions) {
            const Row row = space.rowAt(position);
            steps.outputs.push_back({row,
                                     row == word          ? OutputClass::kept
                                     : near.contains(row) ? OutputClass::near
                                                          : OutputClass::far,
                                     reachBetween(series, own, position)});
        }
        std::stable_sort(m_changes.begin(), m_changes.end(),
                         [](const OutputChange& a, const OutputChange& b) { return a.t < b.t; });
        steps.changes = std::move(m_changes);
        steps.changes.shrink_to_fit();
        *this = {};
        return steps;
    }

private:
    std::uint32_t placeOf(Eigen::Index position) {
        const auto key = static_cast<std::int32_t>(position);
        const auto [place, isNew] =
            m_places.try_emplace(key, static_cast<std::uint32_t>(m_positions.size()));
        if (isNew) {
            m_positions.push_back(key);
        }
        return place->second;
    }

    std::vector<OutputChange> m_changes{};
    std::vector<std::int32_t> m_positions{};
    std::unordered_map<std::int32_t, std::uint32_t> m_places{};
};

class StepGathering {
public:
    StepGathering(const engine::NoiseSeries& series, const Sampling& options,
                  std::span<const Row> words, const JobContext& job)
        : m_series(series),
          m_options(options),
          m_words(words),
          m_job(job),
          m_blockSize(static_cast<std::size_t>(blockSize(std::ssize(words), options))),
          m_steps(words.size()) {}

    Result<std::vector<WordSteps>> run(Crew* crew) {
        const auto blocks = static_cast<double>(blockCount(std::ssize(m_words), m_options));
        RETURN_IF_ERROR(inBlocks(
            crew, std::ssize(m_words), m_options, m_job,
            [&](std::int64_t block, const BlockShare& share) { runBlock(block, share); },
            [&](std::int64_t end) -> Result<void> {
                m_job.progress(static_cast<double>(end) / blocks, "Measuring");
                return checkSize(m_bytes);
            },
            [&](auto& archive, std::int64_t block) {
                const std::size_t first = static_cast<std::size_t>(block) * m_blockSize;
                for (std::size_t i = first; i < std::min(first + m_blockSize, m_steps.size());
                     ++i) {
                    archive(m_steps[i]);
                }
            }));
        RETURN_IF_ERROR(checkSize(std::accumulate(
            m_steps.begin(), m_steps.end(), std::size_t{0},
            [](std::size_t sum, const WordSteps& steps) { return sum + steps.bytes(); })));
        return std::move(m_steps);
    }

private:
    void runBlock(std::int64_t block, const BlockShare& share) {
        const std::size_t begin = static_cast<std::size_t>(block) * m_blockSize;
        const std::size_t end = std::min(begin + m_blockSize, m_words.size());
        const auto batch = m_series.batch({}, share.threads, m_job);
        // Half for distances, half for projections.
        const std::int64_t rows = kStepScratchBytes / share.together / 2 / m_series.rowBytes();
        const auto group = static_cast<std::size_t>(std::max<std::int64_t>(1, rows));
        for (std::size_t first = begin; first < end && !m_job.stopRequested(); first += group) {
            const std::size_t count = std::min(group, end - first);
            batch->setWords(m_words.subspan(first, count));
            runGroup(*batch, static_cast<std::uint32_t>(block), first, count, share.threads, rows);
        }
    }

    void runGroup(engine::SearchBatch& batch, std::uint32_t block, std::size_t first,
                  std::size_t count, int threads, std::int64_t rows) {
        const engine::DrawSource source{m_options.seed, StreamPurpose::unitDraws, block};
        const std::int64_t draws = m_options.draws;
        const std::int64_t chunk = std::clamp<std::int64_t>(rows, 1, draws);
        std::vector<StepBuilder> builders(count);
        for (std::int64_t draw = 0; draw < draws && !m_job.stopRequested(); draw += chunk) {
            const std::int64_t together = std::min(chunk, draws - draw);
            batch.setDraws(source, draw, together);
            parallelFor(static_cast<std::int64_t>(count), threads, [&](std::int64_t i) {
                const std::unique_ptr<engine::DrawSearch> search = batch.search();
                search->setWord(i);
                StepBuilder& builder = builders[static_cast<std::size_t>(i)];
                for (std::int64_t d = 0; d < together && !m_job.stopRequested(); ++d) {
                    search->setDraw(0, d);
                    builder.add(search->path(), m_series.space());
                }
                if (draw + together == draws && !m_job.stopRequested()) {
                    const std::size_t place = first + static_cast<std::size_t>(i);
                    m_steps[place] = builder.finish(m_series, m_words[place],
                                                    batch.neighbours(i, m_options.nearNeighbours));
                    m_bytes += m_steps[place].bytes();
                }
            });
        }
    }

    [[nodiscard]] Result<void> checkSize(std::size_t bytes) const {
        if (bytes <= kMostBytes) {
            return {};
        }
        return fail(
            ErrorCode::resourceLimit,
            fmt::format("the outputs of {} words × {} draws at every epsilon take more than "
                        "{} GiB; lower the words or the draws",
                        m_words.size(), m_options.draws, kMostBytes >> 30U));
    }

    const engine::NoiseSeries& m_series;
    const Sampling& m_options;
    std::span<const Row> m_words;
    const JobContext& m_job;
    std::size_t m_blockSize;
    std::vector<WordSteps> m_steps;
    std::atomic<std::size_t> m_bytes{0};
};

}  // namespace

std::vector<double> WordSteps::criticalEpsilons(int draws) const {
    const auto all = static_cast<std::size_t>(draws);
    if (!canBeKept()) {
        return std::vector<double>(all, std::numeric_limits<double>::infinity());
    }
    std::vector<double> critical;
    for (const OutputChange& change : changes) {
        if (change.from == 0) {
            critical.push_back(1.0 / change.t);
        }
    }
    critical.resize(all, 0.0);
    std::reverse(critical.begin(), critical.end());
    return critical;
}

std::size_t WordSteps::bytes() const {
    return outputs.capacity() * sizeof(StepOutput) + changes.capacity() * sizeof(OutputChange);
}

CountLogs::CountLogs(int draws) : m_log(static_cast<std::size_t>(draws) + 1) {
    for (std::size_t c = 1; c < m_log.size(); ++c) {
        m_log[c] = std::log2(static_cast<double>(c));
    }
}

StepTally::StepTally(const WordSteps& steps, const CountLogs& logs)
    : m_steps(&steps), m_logs(&logs), m_counts(steps.outputs.size()) {
    m_counts.front() = draws();
    m_near = steps.outputs.front().outputClass == OutputClass::near ? draws() : 0;
    m_distinct = 1;
    m_countLogSum = logs.countLog(draws());
}

void StepTally::advanceTo(double t) {
    while (!isAtEnd() && m_steps->changes[m_next].t <= t) {
        advance();
    }
}

void StepTally::advance() {
    const OutputChange& change = m_steps->changes[m_next++];
    add(change.from, -1);
    add(change.to, 1);
}

void StepTally::add(std::uint32_t output, int change) {
    int& count = m_counts[output];
    m_countLogSum -= m_logs->countLog(count);
    m_distinct -= count > 0 ? 1 : 0;
    count += change;
    m_distinct += count > 0 ? 1 : 0;
    m_countLogSum += m_logs->countLog(count);
    m_near += m_steps->outputs[output].outputClass == OutputClass::near ? change : 0;
}

double StepTally::minEntropy() const {
    return m_logs->log(draws()) - m_logs->log(*std::max_element(m_counts.begin(), m_counts.end()));
}

double StepTally::shannonEntropy() const {
    // Sums of logarithms leave a trace of rounding where all draws agree.
    return m_distinct == 1
               ? 0.0
               : std::max(0.0, m_logs->log(draws()) - m_countLogSum / static_cast<double>(draws()));
}

WordStatistics StepTally::statistics() const {
    WordStatistics statistics;
    statistics.kept = kept();
    statistics.near = m_near;
    statistics.distinct = m_distinct;
    statistics.minEntropy = minEntropy();
    statistics.shannonEntropy = shannonEntropy();
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        const Reach& reach = m_steps->outputs[i].reach;
        statistics.singletons += m_counts[i] == 1 ? 1 : 0;
        statistics.distanceSum += m_counts[i] * reach.distance;
        statistics.cosineSum += m_counts[i] * reach.cosine;
        statistics.cosines += reach.hasCosine ? m_counts[i] : 0;
    }
    return statistics;
}

CountedOutputs StepTally::countedOutputs() const {
    CountedOutputs counted;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] > 0) {
            counted.push_back({m_steps->outputs[i].row, m_counts[i]});
        }
    }
    std::sort(counted.begin(), counted.end(),
              [](const auto& a, const auto& b) { return a.position < b.position; });
    return counted;
}

Result<std::vector<WordSteps>> gatherSteps(const engine::NoiseSeries& series,
                                           const Sampling& options, std::span<const Row> words,
                                           Crew* crew, const JobContext& job) {
    return StepGathering(series, options, words, job).run(crew);
}

}  // namespace epsilens::calibration
