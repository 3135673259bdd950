#include "core/training/poincare_training.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/io/memory_limit.h"
#include "core/training/ball_points.h"
#include "core/training/epoch_schedule.h"
#include "core/training/negative_sampler.h"
#include "core/training/relation_step.h"

namespace epsilens::training {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBurnInShare = 0.1;
/// Relations between two looks at the stop token.
constexpr std::size_t kRelationsPerLook = 256;

std::optional<Error> checkRange(std::string_view name, int value, int lowest, int highest) {
    if (value >= lowest && value <= highest) {
        return std::nullopt;
    }
    return Error{ErrorCode::invalidArgument,
                 fmt::format("{}: {} is outside {} to {}", name, value, formatCount(lowest),
                             formatCount(highest))};
}

/// One run over a list.
class Trainer {
public:
    Trainer(const IsAList& list, const PoincareOptions& options, const JobContext& job)
        : m_options(options),
          m_job(job),
          m_graph(static_cast<Row>(list.nodes.size()), list.pairs),
          m_points(m_graph.nodeCount(), options.dimensions),
          m_schedule(m_graph.nodeCount(), list.pairs,
                     EpochSchedule::matchesFor(m_graph.nodeCount(), list.pairs.size()),
                     options.seed),
          m_pairCount(static_cast<std::int64_t>(list.pairs.size())) {}

    Result<PoincareTraining> run() {
        const auto start = Clock::now();
        m_points.scatter(m_options.seed);
        m_result.matches = m_schedule.matches();
        for (int epoch = 0; epoch < m_options.burnIn + m_options.epochs; ++epoch) {
            m_result.partial = !runEpoch(epoch);
            if (m_result.partial) {
                break;
            }
            finishEpoch(epoch);
        }
        if (m_result.epochs == 0) {
            return fail(ErrorCode::cancelled,
                        "training was cancelled before its first epoch ended");
        }
        m_result.vectors = (m_result.partial ? *m_finished : m_points).matrix();
        m_result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return std::move(m_result);
    }

private:
    /// Whether the epoch was trained to its end.
    bool runEpoch(int epoch) {
        const bool burnIn = epoch < m_options.burnIn;
        m_schedule.deal(static_cast<std::uint32_t>(epoch));
        if (burnIn) {
            repeatByDegree();
        }
        double loss = 0.0;
        for (int round = 0; round < m_schedule.rounds(); ++round) {
            loss += runRound(epoch, round, burnIn);
            if (m_job.stopRequested()) {
                return false;
            }
            reportProgress(epoch, round);
        }
        m_result.losses.push_back(loss / static_cast<double>(m_pairCount));
        return true;
    }

    /// Sum of the losses of a round.
    double runRound(int epoch, int round, bool burnIn) {
        std::vector<EpochSchedule::Match> matches(static_cast<std::size_t>(m_schedule.matches()));
        for (int index = 0; index < m_schedule.matches(); ++index) {
            matches[static_cast<std::size_t>(index)] = m_schedule.match(round, index);
        }
        std::vector<std::int64_t> order(matches.size());
        // The longest first, so that no thread is left alone with it at the end.
        std::iota(order.begin(), order.end(), std::int64_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            return matches[static_cast<std::size_t>(a)].pairs.size() >
                   matches[static_cast<std::size_t>(b)].pairs.size();
        });
        std::vector<double> losses(matches.size());
        parallelFor(m_schedule.matches(), m_options.threads, [&](std::int64_t place) {
            const auto index = static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
            const auto draw = static_cast<std::uint32_t>(
                static_cast<std::size_t>(round) * matches.size() + index);
            IndexStream stream({m_options.seed, StreamPurpose::trainingNegatives,
                                static_cast<std::uint32_t>(epoch), draw});
            losses[index] = runMatch(matches[index], burnIn, stream);
        });
        return std::accumulate(losses.begin(), losses.end(), 0.0);
    }

    double runMatch(const EpochSchedule::Match& match, bool burnIn, IndexStream& stream) {
        const Urn nodes = nodesOf(match);
        const Urn urn = burnIn ? repeatedNodesOf(match) : nodes;
        const double rate = burnIn ? kBurnInShare * m_options.rate : m_options.rate;
        NegativeSampler sampler(m_graph);
        RelationStep step(m_points);
        std::vector<Row> targets;
        double loss = 0.0;
        stream.shuffle(match.pairs);
        for (std::size_t i = 0; i < match.pairs.size(); ++i) {
            if (i % kRelationsPerLook == 0 && m_job.stopRequested()) {
                break;
            }
            targets.assign(1, match.pairs[i].parent);
            sampler.draw(match.pairs[i].child, urn, nodes, m_options.negatives, stream, targets);
            loss += step.run(match.pairs[i].child, targets, rate);
        }
        return loss;
    }

    [[nodiscard]] Urn nodesOf(const EpochSchedule::Match& match) const {
        const auto part = [&](int block) {
            const std::size_t begin = m_schedule.firstNodeOf(block);
            return m_schedule.nodes().subspan(begin, m_schedule.firstNodeOf(block + 1) - begin);
        };
        return {part(match.firstBlock), part(match.secondBlock)};
    }

    [[nodiscard]] Urn repeatedNodesOf(const EpochSchedule::Match& match) const {
        const auto part = [&](int block) {
            const std::size_t begin = m_repeatBegins[static_cast<std::size_t>(block)];
            const std::size_t end = m_repeatBegins[static_cast<std::size_t>(block) + 1];
            return std::span<const Row>(m_repeated).subspan(begin, end - begin);
        };
        return {part(match.firstBlock), part(match.secondBlock)};
    }

    /// Writes every node of the schedule as often as it has pairs.
    void repeatByDegree() {
        m_repeated.clear();
        m_repeatBegins.assign(1, 0);
        for (int block = 0; block < m_schedule.blocks(); ++block) {
            for (std::size_t i = m_schedule.firstNodeOf(block);
                 i < m_schedule.firstNodeOf(block + 1); ++i) {
                const Row node = m_schedule.nodes()[i];
                m_repeated.insert(m_repeated.end(), static_cast<std::size_t>(m_graph.degree(node)),
                                  node);
            }
            m_repeatBegins.push_back(m_repeated.size());
        }
    }

    void finishEpoch(int epoch) {
        m_result.epochs = std::max(0, epoch + 1 - m_options.burnIn);
        m_result.relations += m_pairCount;
        if (m_job.stop.stop_possible()) {
            m_finished = m_points;
        }
    }

    void reportProgress(int epoch, int round) const {
        const double rounds = m_schedule.rounds();
        const double done = epoch * rounds + round + 1;
        m_job.progress(done / ((m_options.burnIn + m_options.epochs) * rounds),
                       epoch < m_options.burnIn ? "Training, burn-in" : "Training");
    }

    const PoincareOptions& m_options;
    const JobContext& m_job;
    IsAGraph m_graph;
    BallPoints m_points;
    EpochSchedule m_schedule;
    std::int64_t m_pairCount;
    std::vector<Row> m_repeated{};              ///< nodes by degree, block after block
    std::vector<std::size_t> m_repeatBegins{};  ///< of each block, and the end
    std::optional<BallPoints> m_finished{};     ///< as of the last finished epoch
    PoincareTraining m_result{};
};

/// Points, their copy and the result; the graph, the dealt pairs and the urn.
double bytesFor(const IsAList& list, const PoincareOptions& options) {
    constexpr double kBytesPerPair = 40.0;
    constexpr double kBytesPerNode = 40.0;
    const auto nodes = static_cast<Row>(list.nodes.size());
    return 3.0 * BallPoints::bytesFor(nodes, options.dimensions) +
           kBytesPerPair * static_cast<double>(list.pairs.size()) +
           kBytesPerNode * static_cast<double>(nodes);
}

}  // namespace

std::optional<Error> validate(const PoincareOptions& options) {
    using Options = PoincareOptions;
    for (const std::optional<Error>& problem :
         {checkRange("dimensions", options.dimensions, 1, Options::kMostDimensions),
          checkRange("epochs", options.epochs, 1, Options::kMostEpochs),
          checkRange("negatives", options.negatives, 1, Options::kMostNegatives),
          checkRange("burn-in", options.burnIn, 0, Options::kMostEpochs)}) {
        if (problem) {
            return problem;
        }
    }
    if (!(options.rate > 0.0 && options.rate <= Options::kHighestRate)) {
        return Error{ErrorCode::invalidArgument,
                     fmt::format("rate: {} is not above 0 and at most {}",
                                 formatNumber(options.rate), formatNumber(Options::kHighestRate))};
    }
    return std::nullopt;
}

double PoincareTraining::relationsPerSecond() const {
    return seconds > 0.0 ? static_cast<double>(relations) / seconds : 0.0;
}

Result<PoincareTraining> trainPoincare(const IsAList& list, const PoincareOptions& options,
                                       const JobContext& job) {
    if (std::optional<Error> problem = validate(options)) {
        return tl::unexpected(std::move(*problem));
    }
    if (list.pairs.empty()) {
        return fail(ErrorCode::invalidArgument, "there are no is-a pairs to train on");
    }
    const io::MemoryBudget budget(options.memoryLimit);
    const std::string what = fmt::format("{} nodes of {} dimensions",
                                         formatCount(list.nodes.size()), options.dimensions);
    if (auto fits =
            budget.check(bytesFor(list, options), what, "use fewer dimensions or a shorter list");
        !fits) {
        return tl::unexpected(std::move(fits.error()));
    }
    return Trainer(list, options, job).run();
}

}  // namespace epsilens::training
