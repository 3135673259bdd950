#include "core/calibration/block_run.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "core/base/parallel.h"
#include "core/engine/block_search.h"
#include "core/engine/neighbours.h"
#include "core/engine/path_search.h"
#include "core/mechanism/unit_draws.h"

namespace epsilens::calibration {
namespace {

// Distances of a group of words and projections of a chunk of draws each take at most this much.
constexpr std::int64_t kScratchBytes = std::int64_t{224} << 20;
// Words per task of the statistics: fixed, so that sums are added in an order without threads.
constexpr std::int64_t kWordsPerTask = 16;

using Positions = std::vector<std::int32_t>;

class BlockRun {
public:
    BlockRun(const BlockPlan& plan, std::uint32_t block, std::span<const Row> words,
             const JobContext& job, const std::function<void(double)>& advanced)
        : m_plan(plan), m_block(block), m_words(words), m_job(job), m_advanced(advanced) {
        for (const double epsilon : plan.options.epsilons) {
            m_weights.push_back(engine::ScoreWeights::atEpsilon(epsilon));
        }
        m_fallingEpsilons.resize(m_weights.size());
        std::iota(m_fallingEpsilons.begin(), m_fallingEpsilons.end(), std::size_t{0});
        std::sort(m_fallingEpsilons.begin(), m_fallingEpsilons.end(),
                  [&](std::size_t a, std::size_t b) {
                      return plan.options.epsilons[a] > plan.options.epsilons[b];
                  });
    }

    std::vector<BlockResults> run() {
        std::vector<BlockResults> results(m_plan.noises.size());
        for (BlockResults& result : results) {
            prepare(result);
        }
        const std::int64_t groupSize = rowsWithinScratch(words());
        for (std::int64_t first = 0; first < words() && !stopped(); first += groupSize) {
            runGroup(first, std::min(groupSize, words() - first), results);
        }
        return results;
    }

private:
    [[nodiscard]] std::int64_t words() const { return static_cast<std::int64_t>(m_words.size()); }
    [[nodiscard]] std::int64_t draws() const { return m_plan.options.draws; }
    [[nodiscard]] std::int64_t epsilons() const {
        return static_cast<std::int64_t>(m_weights.size());
    }
    [[nodiscard]] bool stopped() const { return m_job.stopRequested(); }

    [[nodiscard]] std::int64_t rowsWithinScratch(std::int64_t wanted) const {
        const std::int64_t rowBytes =
            m_plan.space.paddedPositions() * static_cast<std::int64_t>(sizeof(float));
        return std::clamp<std::int64_t>(kScratchBytes / rowBytes, 1, wanted);
    }

    void prepare(BlockResults& result) const {
        const auto cells = static_cast<std::size_t>(epsilons());
        result.statistics.resize(cells);
        for (auto& perWord : result.statistics) {
            perWord.resize(m_words.size());
        }
        result.sums.assign(cells, statistics::DrawSums(static_cast<std::size_t>(draws())));
        if (m_plan.options.criticalEpsilons) {
            result.critical.resize(m_words.size() * static_cast<std::size_t>(draws()));
        }
    }

    void runGroup(std::int64_t first, std::int64_t count, std::vector<BlockResults>& results) {
        const auto group =
            m_words.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        const int threads = m_plan.options.threads;
        const engine::TiledRows distances =
            engine::squaredDistances(m_plan.space, group, threads, m_job);
        if (stopped()) {
            return;
        }
        std::vector<engine::Neighbourhood> neighbours(group.size());
        parallelFor(count, threads, [&](std::int64_t i) {
            if (!stopped()) {
                neighbours[static_cast<std::size_t>(i)] =
                    engine::neighboursOf(m_plan.space, group[static_cast<std::size_t>(i)],
                                         distances, i, m_plan.options.nearNeighbours);
            }
        });
        for (std::size_t k = 0; k < results.size() && !stopped(); ++k) {
            const Positions outputs = search(m_plan.noises[k], group, first, distances, results[k]);
            countOutputs(group, first, neighbours, outputs, results[k]);
            const double groupShare = static_cast<double>(count) / static_cast<double>(words());
            m_advanced(static_cast<double>(first) / static_cast<double>(words()) +
                       groupShare * static_cast<double>(k + 1) /
                           static_cast<double>(results.size()));
        }
    }

    // Outputs of every word, epsilon and draw as positions: words x epsilons x R.
    Positions search(const mechanism::EllipticalNoise& noise, std::span<const Row> group,
                     std::int64_t first, const engine::TiledRows& distances, BlockResults& result) {
        Positions outputs(group.size() * static_cast<std::size_t>(epsilons() * draws()));
        const std::int64_t chunk = rowsWithinScratch(draws());
        for (std::int64_t draw = 0; draw < draws() && !stopped(); draw += chunk) {
            const std::int64_t count = std::min(chunk, draws() - draw);
            const RowMatrixF z = mechanism::noiseAtUnitEpsilon(
                mechanism::unitDraws(m_plan.options.seed, StreamPurpose::unitDraws, m_block, draw,
                                     count, noise.dimensions()),
                noise);
            const engine::TiledRows projections =
                engine::noiseProjections(m_plan.space, z, m_plan.options.threads, m_job);
            std::atomic<std::int64_t> rechecked{0};
            parallelFor(static_cast<std::int64_t>(group.size()), m_plan.options.threads,
                        [&](std::int64_t i) {
                            rechecked +=
                                searchWord(group[static_cast<std::size_t>(i)], i, first, distances,
                                           z, projections, draw, outputs, result);
                        });
            result.rechecked += rechecked;
        }
        return outputs;
    }

    // One word against a chunk of draws; returns how many decisions needed float64.
    std::int64_t searchWord(Row word, std::int64_t index, std::int64_t first,
                            const engine::TiledRows& distances, const RowMatrixF& z,
                            const engine::TiledRows& projections, std::int64_t firstDraw,
                            Positions& outputs, BlockResults& result) const {
        engine::NearestSearch search(m_plan.space);
        search.setWord(word, distances, index);
        for (std::int64_t draw = 0; draw < z.rows() && !stopped(); ++draw) {
            search.setDraw(z, projections, draw);
            // From large to small epsilon: the last answer is a good guess for the next one.
            std::int32_t nearest = search.wordPosition();
            for (const std::size_t e : m_fallingEpsilons) {
                nearest = search.nearest(m_weights[e], nearest);
                outputs[static_cast<std::size_t>(
                    (index * epsilons() + static_cast<std::int64_t>(e)) * draws() + firstDraw +
                    draw)] = nearest;
            }
            if (!result.critical.empty()) {
                result.critical[static_cast<std::size_t>((first + index) * draws() + firstDraw +
                                                         draw)] =
                    engine::criticalEpsilon(search, word);
            }
        }
        return search.rechecked();
    }

    void countOutputs(std::span<const Row> group, std::int64_t first,
                      const std::vector<engine::Neighbourhood>& neighbours,
                      const Positions& outputs, BlockResults& result) const {
        if (stopped()) {
            return;
        }
        const auto count = static_cast<std::int64_t>(group.size());
        const std::int64_t tasks = (count + kWordsPerTask - 1) / kWordsPerTask;
        std::vector<std::vector<statistics::DrawSums>> sums(
            static_cast<std::size_t>(tasks),
            std::vector(m_weights.size(), statistics::DrawSums(static_cast<std::size_t>(draws()))));
        parallelFor(tasks, m_plan.options.threads, [&](std::int64_t task) {
            statistics::WordOutputs counter(m_plan.space, m_plan.options.draws);
            const std::int64_t end = std::min(count, (task + 1) * kWordsPerTask);
            for (std::int64_t i = task * kWordsPerTask; i < end; ++i) {
                const auto index = static_cast<std::size_t>(i);
                counter.setWord(group[index], neighbours[index]);
                for (std::size_t e = 0; e < m_weights.size(); ++e) {
                    const auto offset =
                        (index * m_weights.size() + e) * static_cast<std::size_t>(draws());
                    result.statistics[e][static_cast<std::size_t>(first) + index] = counter.count(
                        std::span(outputs).subspan(offset, static_cast<std::size_t>(draws())),
                        sums[static_cast<std::size_t>(task)][e]);
                }
            }
        });
        for (const auto& perTask : sums) {
            for (std::size_t e = 0; e < m_weights.size(); ++e) {
                result.sums[e] += perTask[e];
            }
        }
    }

    const BlockPlan& m_plan;
    std::uint32_t m_block;
    std::span<const Row> m_words;
    const JobContext& m_job;
    const std::function<void(double)>& m_advanced;
    std::vector<engine::ScoreWeights> m_weights;
    std::vector<std::size_t> m_fallingEpsilons;  ///< indices of m_weights
};

}  // namespace

std::int64_t blockSize(std::int64_t words) {
    return std::min(words, std::clamp<std::int64_t>((words + 19) / 20, 64, 512));
}

std::vector<BlockResults> runBlock(const BlockPlan& plan, std::uint32_t block,
                                   std::span<const Row> words, const JobContext& job,
                                   const std::function<void(double)>& advanced) {
    return BlockRun(plan, block, words, job, advanced).run();
}

}  // namespace epsilens::calibration
