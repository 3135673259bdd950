#include "core/training/poincare_training.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/io/memory_limit.h"
#include "core/training/ball_points.h"
#include "core/training/epoch_schedule.h"

namespace epsilens::training {
namespace {

constexpr double kBurnInShare = 0.1;
/// Relations between two looks at the stop token.
constexpr std::size_t kRelationsPerLook = 256;
/// Steps whose rows are fetched before their turn.
constexpr std::size_t kStepsAhead = 2;

Result<void> checkRange(std::string_view name, int value, int lowest, int highest) {
    if (value >= lowest && value <= highest) {
        return {};
    }
    return refuse(fmt::format("{}: {} is outside {} to {}", name, value, formatCount(lowest),
                              formatCount(highest)));
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
          m_pairCount(std::ssize(list.pairs)) {}

    Result<PoincareTraining> run() {
        const Stopwatch watch;
        m_points.scatter(m_options.seed);
        m_result.matches = m_schedule.matches();
        for (int epoch = 0; epoch < m_options.burnIn + m_options.epochs; ++epoch) {
            const bool burnIn = epoch < m_options.burnIn;
            if (m_result.epochs > 0 && m_job.stop.stop_possible()) {
                m_finished = m_points;
            }
            m_schedule.deal(static_cast<std::uint32_t>(epoch));
            if (burnIn) {
                repeatByDegree();
            }
            const std::optional<double> loss = playMatches(epoch, burnIn);
            m_result.partial = !loss;
            if (!loss) {
                break;
            }
            m_result.losses.push_back(*loss / static_cast<double>(m_pairCount));
            m_result.epochs = std::max(0, epoch + 1 - m_options.burnIn);
            m_result.relations += m_pairCount;
        }
        if (m_result.epochs == 0) {
            return fail(ErrorCode::cancelled,
                        "training was cancelled before its first epoch ended");
        }
        m_result.vectors = (m_result.partial ? *m_finished : m_points).matrix();
        m_result.seconds = watch.seconds();
        return std::move(m_result);
    }

private:
    /// Sum of the losses of all matches; nothing when the job was stopped.
    std::optional<double> playMatches(int epoch, bool burnIn) {
        const int rounds = m_schedule.rounds();
        std::vector<double> losses(static_cast<std::size_t>(m_schedule.matches()));
        double sum = 0.0;
        for (int round = 0; round < rounds; ++round) {
            parallelFor(m_schedule.matches(), m_options.threads, [&](std::int64_t match) {
                const int index = static_cast<int>(match);
                IndexStream stream(
                    {m_options.seed, StreamPurpose::trainingNegatives,
                     static_cast<std::uint32_t>(epoch),
                     static_cast<std::uint32_t>(round * m_schedule.matches() + index)});
                losses[static_cast<std::size_t>(match)] =
                    runMatch(m_schedule.match(round, index), burnIn, stream);
            });
            if (m_job.stopRequested()) {
                return std::nullopt;
            }
            sum += std::accumulate(losses.begin(), losses.end(), 0.0);
            m_job.progress((static_cast<double>(epoch) * rounds + round + 1) /
                               (static_cast<double>(m_options.burnIn + m_options.epochs) * rounds),
                           burnIn ? "Training, burn-in" : "Training");
        }
        return sum;
    }

    double runMatch(const EpochSchedule::Match& match, bool burnIn, IndexStream& stream) {
        const Urn nodes = nodesOf(match, false);
        const Urn urn = nodesOf(match, burnIn);
        const double rate = burnIn ? kBurnInShare * m_options.rate : m_options.rate;
        NegativeSampler sampler(m_graph);
        RelationStep step(m_points);
        // Nodes are drawn some steps ahead, because fetching their rows takes longer than a step,
        // above all from the cache of another processor.
        std::array<std::vector<Row>, kStepsAhead + 1> targets;
        const auto targetsOf = [&](std::size_t i) -> std::vector<Row>& {
            return targets[i % targets.size()];
        };
        stream.shuffle(match.pairs);
        std::size_t drawn = 0;
        double loss = 0.0;
        for (std::size_t i = 0; i < match.pairs.size(); ++i) {
            if (i % kRelationsPerLook == 0 && m_job.stopRequested()) {
                break;
            }
            for (; drawn < std::min(i + targets.size(), match.pairs.size()); ++drawn) {
                const IsAPair& pair = match.pairs[drawn];
                targetsOf(drawn).assign(1, pair.parent);
                sampler.draw(pair.child, urn, nodes, m_options.negatives, stream, targetsOf(drawn));
                m_points.fetch(pair.child);
            }
            loss += step.run(match.pairs[i].child, targetsOf(i), rate, targetsOf(drawn - 1));
        }
        return loss;
    }

    /// The nodes of both blocks, each once or, for the burn-in, as often as it has pairs.
    [[nodiscard]] Urn nodesOf(const EpochSchedule::Match& match, bool repeated) const {
        const auto begin = [&](int block) {
            return repeated ? m_repeatBegins[static_cast<std::size_t>(block)]
                            : m_schedule.firstNodeOf(block);
        };
        const auto part = [&](int block) {
            const std::span<const Row> nodes =
                repeated ? std::span<const Row>(m_repeated) : m_schedule.nodes();
            return nodes.subspan(begin(block), begin(block + 1) - begin(block));
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

    const PoincareOptions& m_options;
    const JobContext& m_job;
    IsAGraph m_graph;
    BallPoints m_points;
    EpochSchedule m_schedule;
    std::int64_t m_pairCount;
    std::vector<Row> m_repeated{};              ///< nodes by degree, block after block
    std::vector<std::size_t> m_repeatBegins{};  ///< of each block, and the end
    std::optional<BallPoints> m_finished{};     ///< as before the current epoch
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

double PoincareTraining::relationsPerSecond() const {
    return seconds > 0.0 ? static_cast<double>(relations) / seconds : 0.0;
}

Result<PoincareTraining> trainPoincare(const IsAList& list, const PoincareOptions& options,
                                       const JobContext& job) {
    using Options = PoincareOptions;
    RETURN_IF_ERROR(checkRange("dimensions", options.dimensions, 1, Options::kMostDimensions));
    RETURN_IF_ERROR(checkRange("epochs", options.epochs, 1, Options::kMostEpochs));
    RETURN_IF_ERROR(checkRange("negatives", options.negatives, 1, Options::kMostNegatives));
    RETURN_IF_ERROR(checkRange("burn-in", options.burnIn, 0, Options::kMostEpochs));
    if (!(options.rate > 0.0 && options.rate <= Options::kHighestRate)) {
        return refuse(fmt::format("rate: {} is not above 0 and at most {}",
                                  formatNumber(options.rate), formatNumber(Options::kHighestRate)));
    }
    if (list.pairs.empty()) {
        return refuse("there are no is-a pairs to train on");
    }
    const io::MemoryBudget budget(options.memoryLimit);
    const std::string what = fmt::format("{} nodes of {} dimensions",
                                         formatCount(list.nodes.size()), options.dimensions);
    RETURN_IF_ERROR(
        budget.check(bytesFor(list, options), what, "use fewer dimensions or a shorter list"));
    return Trainer(list, options, job).run();
}

}  // namespace epsilens::training
