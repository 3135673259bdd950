#include "core/calibration/word_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/base/random_stream.h"
#include "core/engine/draw_sweep.h"
#include "core/io/memory_limit.h"

namespace epsilens::calibration {

DrawSums& DrawSums::operator+=(const DrawSums& other) {
    for (std::size_t s = 0; s < kDrawStatistics; ++s) {
        std::transform(of[s].begin(), of[s].end(), other.of[s].begin(), of[s].begin(),
                       std::plus<>());
    }
    return *this;
}

std::vector<double> WordSteps::criticalEpsilons(int draws, std::size_t variant) const {
    const double kept = canBeKept() ? 0.0 : std::numeric_limits<double>::infinity();
    std::vector<double> critical(static_cast<std::size_t>(draws), kept);
    for (const OutputChange& change : changes[variant]) {
        // Of the changes of a draw the first one leaves the word.
        if (critical[change.draw] == 0.0) {
            critical[change.draw] = 1.0 / change.t;
        }
    }
    std::ranges::sort(critical);
    return critical;
}

std::size_t WordSteps::bytes() const {
    std::size_t bytes = outputs.capacity() * sizeof(StepOutput);
    for (const std::vector<OutputChange>& some : changes) {
        bytes += some.capacity() * sizeof(OutputChange);
    }
    return bytes;
}

StepMaker::StepMaker(const engine::NoiseSeries& series)
    : m_series(series), m_places(static_cast<std::size_t>(series.space().positions()), -1) {}

WordSteps StepMaker::make(Row word, const engine::Neighbourhood& neighbours,
                          std::span<PositionChanges> changes) {
    const engine::SearchSpace& space = m_series.space();
    const auto own = static_cast<std::int32_t>(space.positionOf(word));
    std::vector<Row> near = neighbours.rows;
    std::ranges::sort(near);
    WordSteps steps{word};
    std::vector<std::int32_t> positions;
    const auto placeOf = [&](std::int32_t position) {
        std::int32_t& place = m_places[static_cast<std::size_t>(position)];
        if (place >= 0) {
            return place;
        }
        place = static_cast<std::int32_t>(positions.size());
        positions.push_back(position);
        const Row row = space.rowAt(position);
        const engine::PairDistances pair = m_series.distances(own, position);
        const double first = space.squaredNorms()[own];
        const double second = space.squaredNorms()[position];
        StepOutput& output = steps.outputs.emplace_back();
        output.row = row;
        output.outputClass = row == word                                         ? OutputClass::kept
                             : std::binary_search(near.begin(), near.end(), row) ? OutputClass::near
                                                                                 : OutputClass::far;
        output.distance = pair.distance;
        output.hasCosine = first > 0.0 && second > 0.0;
        if (output.hasCosine) {
            output.cosine = 0.5 * (first + second - pair.squaredEuclidean) /
                            (std::sqrt(first) * std::sqrt(second));
        }
        return place;
    };
    placeOf(own);
    for (PositionChanges& some : changes) {
        std::ranges::stable_sort(some, [](const auto& a, const auto& b) { return a.t < b.t; });
        for (OutputChange& change : some) {
            change.to = placeOf(change.to);
        }
        steps.changes.emplace_back(some.begin(), some.end());
        some = {};
    }
    for (const std::int32_t position : positions) {
        m_places[static_cast<std::size_t>(position)] = -1;
    }
    return steps;
}

CountLogs::CountLogs(int draws)
    : m_log(static_cast<std::size_t>(draws) + 1), m_countLog(m_log.size()) {
    for (std::size_t c = 1; c < m_log.size(); ++c) {
        m_log[c] = std::log2(static_cast<double>(c));
        m_countLog[c] = std::llround(static_cast<double>(c) * m_log[c] / kUnit);
    }
}

StepTally::StepTally(const WordSteps& steps, const CountLogs& logs, std::size_t variant)
    : m_steps(&steps),
      m_logs(&logs),
      m_changes(steps.changes[variant]),
      m_counts(steps.outputs.size()),
      m_outputOf(static_cast<std::size_t>(logs.draws())),
      m_often(static_cast<std::size_t>(logs.draws()) + 1) {
    m_often.front() = static_cast<int>(m_counts.size());
    add(0, draws());
}

void StepTally::advanceTo(double t) {
    while (!isAtEnd() && m_changes[m_next].t <= t) {
        advance();
    }
}

std::pair<const StepOutput&, const StepOutput&> StepTally::advance() {
    const OutputChange& change = m_changes[m_next++];
    const std::int32_t from = std::exchange(m_outputOf[change.draw], change.to);
    add(from, -1);
    add(change.to, 1);
    return {m_steps->outputs[static_cast<std::size_t>(from)],
            m_steps->outputs[static_cast<std::size_t>(change.to)]};
}

void StepTally::add(std::int32_t place, int change) {
    const StepOutput& output = m_steps->outputs[static_cast<std::size_t>(place)];
    int& count = m_counts[static_cast<std::size_t>(place)];
    m_countLogSum -= m_logs->countLog(count);
    m_distinct -= count > 0 ? 1 : 0;
    --m_often[static_cast<std::size_t>(count)];
    count += change;
    ++m_often[static_cast<std::size_t>(count)];
    m_distinct += count > 0 ? 1 : 0;
    m_countLogSum += m_logs->countLog(count);
    m_largest = std::max(m_largest, count);
    while (m_often[static_cast<std::size_t>(m_largest)] == 0) {
        --m_largest;
    }
    m_near += output.outputClass == OutputClass::near ? change : 0;
    m_cosines += output.hasCosine ? change : 0;
}

double StepTally::minEntropy() const {
    return m_logs->log(draws()) - m_logs->log(m_largest);
}

double StepTally::shannonEntropy() const {
    const double countLogs = CountLogs::kUnit * static_cast<double>(m_countLogSum);
    return m_distinct == 1 ? 0.0 : std::max(0.0, m_logs->log(draws()) - countLogs / draws());
}

WordStatistics StepTally::statistics() const {
    WordStatistics statistics{kept(),           m_distinct, m_near, m_often[1], minEntropy(),
                              shannonEntropy(), 0.0,        0.0,    m_cosines};
    for (const std::int32_t place : m_outputOf) {
        const StepOutput& output = m_steps->outputs[static_cast<std::size_t>(place)];
        statistics.distanceSum += output.distance;
        statistics.cosineSum += output.cosine;
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
    std::ranges::sort(counted, [](const auto& a, const auto& b) { return a.row < b.row; });
    return counted;
}

StepTally::Contribution StepTally::contributionOf(int count) const {
    const int rest = draws() - 1;
    const int others = m_distinct - (count == 1 ? 1 : 0);
    const bool isLargest = count == m_largest && m_often[static_cast<std::size_t>(m_largest)] == 1;
    const double countLogs =
        CountLogs::kUnit *
        static_cast<double>(m_countLogSum - m_logs->countLog(count) + m_logs->countLog(count - 1));
    return {0.0, static_cast<double>(others), m_logs->log(others),
            m_logs->log(rest) - m_logs->log(m_largest - (isLargest ? 1 : 0)),
            m_logs->log(rest) - countLogs / rest};
}

void StepTally::addTo(DrawSums& sums) {
    if (draws() == 1) {
        return;
    }
    m_contributions.resize(m_often.size());
    for (std::size_t count = 1; count < m_often.size(); ++count) {
        if (m_often[count] > 0) {
            m_contributions[count] = contributionOf(static_cast<int>(count));
        }
    }
    for (std::size_t draw = 0; draw < m_outputOf.size(); ++draw) {
        const std::int32_t output = m_outputOf[draw];
        const int count = m_counts[static_cast<std::size_t>(output)];
        const Contribution& own = m_contributions[static_cast<std::size_t>(count)];
        sums.of[kKept][draw] += output == 0 && m_steps->canBeKept() ? 1.0 : 0.0;
        for (std::size_t s = kDistinct; s < kDrawStatistics; ++s) {
            sums.of[s][draw] += own[s];
        }
    }
}

namespace {

void addPath(engine::DrawSearch& search, const engine::SearchSpace& space, std::int64_t draw,
             PositionChanges& changes) {
    const engine::DrawPath path = search.path();
    for (std::size_t i = 0; i < path.breaks.size(); ++i) {
        changes.push_back({path.breaks[i], static_cast<std::uint32_t>(draw),
                           static_cast<std::int32_t>(space.positionOf(path.outputs[i + 1]))});
    }
}

// t  1 / epsilon of the batch, rising
void addRuns(engine::DrawSearch& search, std::span<const double> t, std::int64_t draw,
             PositionChanges& changes) {
    for (const engine::OutputRun& run : search.runsAtAll()) {
        // Before the largest epsilon the draw returns the word.
        if (run.position != search.wordPosition()) {
            changes.push_back({t[run.first], static_cast<std::uint32_t>(draw), run.position});
        }
    }
}

/// The steps of words whose changes are known, which are given up.
std::vector<WordSteps> stepsOf(const BlockSweep& sweep, const engine::SearchBatch& batch,
                               std::span<const Row> words, std::span<PositionChanges> changes,
                               int threads) {
    constexpr std::size_t kWordsPerTask = 16;
    const auto variants = static_cast<std::size_t>(sweep.series.variants());
    std::vector<WordSteps> steps(words.size());
    parallelFor(
        static_cast<std::int64_t>((words.size() + kWordsPerTask - 1) / kWordsPerTask), threads,
        [&](std::int64_t task) {
            StepMaker maker(sweep.series);
            const std::size_t begin = static_cast<std::size_t>(task) * kWordsPerTask;
            for (std::size_t i = begin; i < std::min(begin + kWordsPerTask, words.size()); ++i) {
                steps[i] = maker.make(
                    words[i],
                    batch.neighbours(static_cast<std::int64_t>(i), sweep.options.nearNeighbours),
                    changes.subspan(i * variants, variants));
            }
        });
    return steps;
}

/// Searches the words of a block.
///
/// t         1 / epsilon of the batch, rising; none: every change counts
/// together  blocks that run at a time and share the scratch memory
void sweepBlock(const BlockSweep& sweep, const WordBlock& block, engine::SearchBatch& batch,
                std::span<const double> t, std::int64_t together, int threads,
                const JobContext& job) {
    const auto variants = static_cast<std::size_t>(sweep.series.variants());
    const auto words = sweep.words.subspan(block.begin, block.end - block.begin);
    std::vector<PositionChanges> changes(words.size() * variants);
    // A stop is noticed between blocks.
    static_cast<void>(engine::sweepDraws(
        sweep.series, batch,
        {words,
         {sweep.options.seed, StreamPurpose::unitDraws, static_cast<std::uint32_t>(block.number)},
         sweep.options.draws,
         sweep.scratchBytes / together,
         threads,
         sweep.stage,
         sweep.wordsAtOnce},
        job,
        [&](engine::DrawSearch& search, std::int64_t word, std::int64_t variant,
            std::int64_t draw) {
            PositionChanges& some = changes[static_cast<std::size_t>(word) * variants +
                                            static_cast<std::size_t>(variant)];
            if (t.empty()) {
                addPath(search, sweep.series.space(), draw, some);
            } else {
                addRuns(search, t, draw, some);
            }
        },
        [&](const engine::SearchBatch& searched, std::int64_t start, std::int64_t count) {
            const auto first = static_cast<std::size_t>(start);
            std::vector<WordSteps> steps =
                stepsOf(sweep, searched, words.subspan(first, static_cast<std::size_t>(count)),
                        std::span(changes).subspan(first * variants), threads);
            sweep.use(block, block.begin + first, steps, threads);
        }));
}

}  // namespace

Result<void> sweepBlocks(const BlockSweep& sweep, Crew* crew, const JobContext& job) {
    constexpr std::int64_t kPerThread = 4;
    constexpr std::int64_t kPerProcess = 64;
    const std::int64_t size = blockSize(std::ssize(sweep.words), sweep.options);
    const std::int64_t blocks = blockCount(std::ssize(sweep.words), sweep.options);
    const std::int64_t threads = workersOf(sweep.options.threads);
    std::vector<double> t;
    for (const double epsilon : sweep.epsilons) {
        t.push_back(1.0 / epsilon);
    }
    std::sort(t.begin(), t.end());
    const auto blockOf = [&](std::int64_t number) {
        const auto begin = static_cast<std::size_t>(number * size);
        return WordBlock{number, begin,
                         std::min(begin + static_cast<std::size_t>(size), sweep.words.size())};
    };
    const auto whole = sweep.series.batch(sweep.epsilons, sweep.options.threads, job);
    const JobContext quiet{job.stop};
    return inRanges(
        crew, blocks,
        size > 1          ? 1
        : crew != nullptr ? kPerProcess
                          : kPerThread * threads,
        [&](std::int64_t first, std::int64_t end) -> Result<void> {
            if (end - first == 1) {
                sweepBlock(sweep, blockOf(first), *whole, t, 1, sweep.options.threads,
                           partOf(job, first, end, blocks));
            } else {
                parallelFor(end - first, sweep.options.threads, [&](std::int64_t i) {
                    const auto own = sweep.series.batch(sweep.epsilons, 1, job);
                    sweepBlock(sweep, blockOf(first + i), *own, t, threads, 1, quiet);
                });
            }
            RETURN_IF_ERROR(job.checkStop());
            job.progress(end, blocks, sweep.stage);
            return sweep.finished();
        },
        [&](Archive& archive, std::int64_t block) { sweep.transfer(archive, blockOf(block)); });
}

std::vector<Row> inRunOrder(std::span<const Row> words, std::uint64_t seed) {
    std::vector<Row> shuffled;
    for (const std::size_t place :
         shuffledIndices(words.size(), {seed, StreamPurpose::blockPermutation})) {
        shuffled.push_back(words[place]);
    }
    return shuffled;
}

Result<std::vector<WordSteps>> gatherSteps(const engine::NoiseSeries& series,
                                           const Sampling& options, std::span<const Row> words,
                                           Crew* crew, const JobContext& job) {
    constexpr std::int64_t kScratchBytes = std::int64_t{96} << 20;
    std::vector<WordSteps> all(words.size());
    const auto checkSize = [&] {
        // A search keeps the output of each draw and how often each count occurs.
        double bytes =
            2.0 * sizeof(std::int32_t) * static_cast<double>(words.size()) * options.draws;
        for (const WordSteps& steps : all) {
            bytes += static_cast<double>(steps.bytes());
        }
        return io::MemoryBudget(kMostMeasurementBytes)
            .check(bytes,
                   fmt::format("{} words × {} draws at every epsilon", words.size(), options.draws),
                   "lower the words or the draws");
    };
    RETURN_IF_ERROR(
        sweepBlocks({series,
                     options,
                     words,
                     {},
                     "Measuring",
                     kScratchBytes,
                     std::numeric_limits<std::int64_t>::max(),
                     [&](const WordBlock& /*block*/, std::size_t first, std::span<WordSteps> steps,
                         int /*threads*/) {
                         std::ranges::move(steps, all.begin() + static_cast<std::ptrdiff_t>(first));
                     },
                     checkSize,
                     [&](Archive& archive, const WordBlock& block) {
                         for (std::size_t word = block.begin; word < block.end; ++word) {
                             archive(all[word]);
                         }
                     }},
                    crew, job));
    RETURN_IF_ERROR(checkSize());
    return all;
}

}  // namespace epsilens::calibration
