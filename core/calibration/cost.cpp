#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/result_size.h"
#include "core/calibration/tem_run.h"
#include "core/calibration/trial_runs.h"
#include "core/engine/create_series.h"
#include "core/io/memory_limit.h"
#include "core/statistics/exact_deniability.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {
namespace {

/// The whole number of a value >= 0; the largest one where it is beyond.
template <typename Integer>
Integer saturated(double value) {
    constexpr Integer kLargest = std::numeric_limits<Integer>::max();
    return value < static_cast<double>(kLargest) ? static_cast<Integer>(value) : kLargest;
}

int threadsUsed(const CalibrationOptions& options) {
    const int threads = options.threads > 0 ? options.threads : defaultThreadCount();
    return std::min(threads, defaultThreadCount());
}

// Of the small runs: enough words for the tasks of all threads, and projections of draws that do
// not fit into the cache of a core, as in a whole run.
constexpr std::int64_t kTrialWords = 64;
constexpr std::int64_t kTrialWordsPerThread = 32;
constexpr std::int64_t kTrialWordsApart = 4;  ///< per thread; each has projections of its own
constexpr std::int64_t kTrialProjections = 96;
constexpr std::int64_t kFewestTrialProjections = 24;
constexpr std::int64_t kTrialScores = 4'000'000;  ///< of all projections, on large vocabularies

/// The words of a run, thinned out evenly.
WordSelection someOf(const std::vector<Row>& words, std::int64_t count) {
    WordSelection some{WordSelection::Kind::list, 0, {}};
    for (std::int64_t i = 0; i < count; ++i) {
        some.rows.push_back(
            words[static_cast<std::size_t>(i * static_cast<std::int64_t>(words.size()) / count)]);
    }
    return some;
}

/// A run with less of everything but the grid.
TrialRun trialOf(const CalibrationOptions& options, const std::vector<Row>& words,
                 const RunWithOptions& run) {
    return [&](const RunSize& size) -> Result<void> {
        CalibrationOptions few = options;
        few.words = someOf(words, size.words);
        few.draws = options.grid.mechanism.isExact() ? options.draws : static_cast<int>(size.draws);
        few.blockSize = size.words;
        few.rerunWorst = false;
        few.deniabilityOdds.reset();
        return run(few);
    };
}

RunSize trialSize(const engine::SearchSpace& space, const CalibrationOptions& options,
                  std::int64_t words) {
    const std::int64_t threads = threadsUsed(options);
    if (options.grid.mechanism.isExact()) {
        return {std::min(words, std::max(kTrialWords, kTrialWordsPerThread * threads)), 1};
    }
    const auto lambdas = static_cast<std::int64_t>(options.grid.usedLambdas().size());
    const std::int64_t projections = std::clamp<std::int64_t>(
        kTrialScores / space.positions(), kFewestTrialProjections, kTrialProjections);
    const std::int64_t draws = std::clamp<std::int64_t>(projections / lambdas, 1, options.draws);
    return {std::min(words, options.independentDraws
                                ? kTrialWordsApart * threads
                                : std::max(kTrialWords, kTrialWordsPerThread * threads)),
            draws};
}

Result<double> noiseSeconds(const engine::SearchSpace& space, const CalibrationOptions& options,
                            const std::vector<Row>& words, const RunWithOptions& run) {
    const auto n = static_cast<std::int64_t>(words.size());
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, options.grid.mechanism,
                                                             options.grid.usedLambdas()));
    ASSIGN_OR_RETURN(const RunRates rates,
                     measureRates(trialOf(options, words, run), trialSize(space, options, n)));
    const std::int64_t groups = options.independentDraws ? 1 : groupsOf(*series, options, n);
    double seconds = rates.seconds({n, options.draws}, groups);
    if (options.rerunWorst) {
        // A search answers all epsilons at once; the words of every cell are counted apart.
        const auto epsilons = static_cast<std::int64_t>(options.grid.epsilons.size());
        const RunSize again{epsilons * std::min<std::int64_t>(n, kRerunWords), kRerunDraws};
        seconds += rates.seconds(again, 1) - rates.once;
    }
    return seconds;
}

CostEstimate noiseSize(const CalibrationOptions& options, std::int64_t n) {
    const auto cells =
        static_cast<double>(options.grid.usedLambdas().size() * options.grid.epsilons.size());
    CostEstimate cost;
    cost.words = n;
    cost.substitutions = saturated<std::int64_t>(static_cast<double>(n) * options.draws * cells);
    cost.bytes = saturated<std::uint64_t>(resultBytes(options, n));
    return cost;
}

double cellsOf(const mechanism::Grid& grid) {
    const std::size_t radii = grid.gammas.empty() ? grid.betas.size() : grid.gammas.size();
    return static_cast<double>(grid.usedLambdas().size() * radii * grid.epsilons.size());
}

Result<double> temSeconds(const engine::SearchSpace& space, const CalibrationOptions& options,
                          const std::vector<Row>& words, const RunWithOptions& run) {
    const auto n = static_cast<std::int64_t>(words.size());
    ASSIGN_OR_RETURN(const std::optional<double> paired, pairedTemSeconds(space, options, words));
    double seconds = paired.value_or(0.0);
    if (!paired) {
        ASSIGN_OR_RETURN(const RunRates rates,
                         measureRates(trialOf(options, words, run), trialSize(space, options, n)));
        seconds = rates.seconds({n, 1}, 1);
    }
    if (options.deniabilityOdds) {
        ASSIGN_OR_RETURN(auto form, options.grid.mechanisms().front().on(space.handle()));
        auto& weights = std::get<mechanism::SelectionWeights>(form);
        ASSIGN_OR_RETURN(const auto law, weights.truncation.at(options.grid.epsilons.front()));
        ASSIGN_OR_RETURN(const auto distances,
                         engine::MetricSpace::create(std::move(weights.metric), options.threads));
        seconds += cellsOf(options.grid) *
                   statistics::exactDeniabilitySeconds(distances, law, options.threads);
    }
    return seconds;
}

CostEstimate temSize(const CalibrationOptions& options, std::int64_t n) {
    CostEstimate cost;
    cost.words = n;
    cost.bytes = saturated<std::uint64_t>(
        cellsOf(options.grid) *
        (static_cast<double>(sizeof(Cell)) +
         static_cast<double>(n) * static_cast<double>(sizeof(statistics::ExactStatistics))));
    return cost;
}

}  // namespace

Result<CostEstimate> estimateCost(const engine::SearchSpace& space,
                                  const CalibrationOptions& options, const JobContext& job) {
    return estimateCost(space, options, [&](const CalibrationOptions& few) -> Result<void> {
        ASSIGN_OR_RETURN(const auto run, calibrate(space, few, {job.stop, {}}));
        return run.partial ? fail(ErrorCode::cancelled, "cancelled") : Result<void>();
    });
}

Result<CostEstimate> estimateCost(const engine::SearchSpace& space,
                                  const CalibrationOptions& options, const RunWithOptions& run) {
    if (auto error = validate(options, space.embedding())) {
        return tl::unexpected(*error);
    }
    const auto words = selectWords(options.words, space.embedding().wordCount(), options.seed);
    const auto n = static_cast<std::int64_t>(words->size());
    const bool isExact = options.grid.mechanism.isExact();
    CostEstimate cost = isExact ? temSize(options, n) : noiseSize(options, n);
    RETURN_IF_ERROR(io::MemoryBudget(0).check(static_cast<double>(cost.bytes), "the results",
                                              "ask for fewer words, draws or values in the grid"));
    ASSIGN_OR_RETURN(cost.seconds, isExact ? temSeconds(space, options, *words, run)
                                           : noiseSeconds(space, options, *words, run));
    return cost;
}

}  // namespace epsilens::calibration
