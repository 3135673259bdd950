#include "core/calibration/options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/tem_run.h"
#include "core/engine/noise_series.h"
#include "core/engine/word_sample.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::calibration {
namespace {

Result<void> checkParameters(const CalibrationOptions& options) {
    constexpr int kMostDraws = 1'000'000;
    if (options.grid.epsilons.empty()) {
        return refuse("the grid has no epsilon");
    }
    for (const double epsilon : options.grid.epsilons) {
        if (!(epsilon > 0.0 && std::isfinite(epsilon))) {
            return refuse(
                fmt::format("epsilon {} is outside its range, finite and above 0", epsilon));
        }
    }
    if (!(options.draws >= 1 && options.draws <= kMostDraws)) {
        return refuse(fmt::format("draws {} is outside its range, 1 to {}", options.draws,
                                  formatCount(kMostDraws)));
    }
    if (!(options.nearNeighbours >= 1)) {
        return refuse(
            fmt::format("near {} is outside its range, at least 1", options.nearNeighbours));
    }
    if (options.grid.usedLambdas().empty()) {
        return refuse("the grid has no lambda");
    }
    return {};
}

Result<void> checkComparison(const CalibrationOptions& options, std::int64_t words) {
    if (options.deniabilityOdds &&
        !(*options.deniabilityOdds >= 1.0 && std::isfinite(*options.deniabilityOdds))) {
        return refuse(
            fmt::format("deniability odds {} are outside their range, finite and at least 1",
                        *options.deniabilityOdds));
    }
    if (options.grid.mechanism.isExact()) {
        return {};
    }
    if (options.deniabilityOdds && !options.independentDraws) {
        return refuse("deniability compares words and needs independent draws for each of them");
    }
    if (options.independentDraws && words > kMostComparedWords) {
        return refuse(fmt::format(
            "independent draws are for at most {} words, {} were asked for: every word needs "
            "projections of its own draws on the whole vocabulary",
            formatCount(kMostComparedWords), formatCount(words)));
    }
    return {};
}

/// Tries the mechanism at all of its parameters. Each has a smallest and a largest epsilon and is
/// sound in between.
Result<void> checkMechanisms(const mechanism::Grid& grid,
                             const embedding::EmbeddingHandle& embedding) {
    const std::vector<mechanism::Mechanism> mechanisms = grid.mechanisms();
    if (mechanisms.empty()) {
        return refuse("the grid has neither a gamma nor a beta");
    }
    const auto [least, largest] = std::ranges::minmax(grid.epsilons);
    for (const mechanism::Mechanism& mechanism : mechanisms) {
        ASSIGN_OR_RETURN(const auto prepared,
                         mechanism::PreparedMechanism::create(embedding, mechanism));
        RETURN_IF_ERROR(prepared.guarantee(least));
        RETURN_IF_ERROR(prepared.guarantee(largest));
    }
    return {};
}

constexpr int kDefaultEpsilons = 5;
constexpr double kSuggestedAboveBound = 10.0;
constexpr double kGridAboveBound[] = {1.0, 5.0, 10.0, 20.0, 40.0};

/// By the epsilons at which 200 random words are kept with probability 1/2, over all lambdas and
/// radii.
Result<engine::EpsilonRange> rangeOfSelection(const engine::SearchSpace& space,
                                              const CalibrationOptions& options,
                                              const JobContext& job) {
    CalibrationOptions sample = options;
    sample.grid.epsilons = {1.0};
    sample.draws = 1;
    sample.criticalEpsilons = true;
    const JobContext renamed{
        job.stop, [&](const Progress& progress) { job.progress(progress.fraction, "Range of ε"); }};
    ASSIGN_OR_RETURN(const auto run,
                     calibrateTem(space, sample,
                                  engine::sampleWords(space.embedding().wordCount(),
                                                      engine::kRangeWords, options.seed),
                                  renamed, nullptr));
    if (run.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    const std::vector<float>& critical = run.perWord.criticalEpsilonMedian;
    return engine::rangeOfCriticals({critical.begin(), critical.end()}, run.words);
}

double boundOf(const CalibrationOptions& options, const engine::SearchSpace& space) {
    return options.grid.mechanism.epsilonBound(space.embedding().dimensions());
}

/// One lambda for a whole grid: what controls start with, or the nearest to it, of two the less.
double centralLambda(const std::vector<double>& lambdas) {
    return *std::ranges::min_element(lambdas, [](double a, double b) {
        return std::pair(std::abs(a - mechanism::kDefaultLambda), a) <
               std::pair(std::abs(b - mechanism::kDefaultLambda), b);
    });
}

}  // namespace

std::vector<double> defaultLambdaGrid() {
    return {0.0, 0.25, 0.5, 0.75, 1.0};
}

std::vector<double> defaultBetaGrid() {
    return {mechanism::kDefaultBeta};
}

Result<std::vector<Row>> selectWords(const WordSelection& selection, std::int64_t vocabularySize,
                                     std::uint64_t seed) {
    switch (selection.kind) {
        case WordSelection::Kind::all:
            return engine::sampleWords(vocabularySize, vocabularySize, seed);
        case WordSelection::Kind::random:
            if (!(selection.count >= 1)) {
                return refuse(
                    fmt::format("words {} is outside its range, at least 1", selection.count));
            }
            return engine::sampleWords(vocabularySize, selection.count, seed);
        case WordSelection::Kind::list:
            break;
    }
    std::vector<Row> rows = selection.rows;
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) {
        return refuse("the list of words is empty");
    }
    if (rows.front() < 0 || rows.back() >= vocabularySize) {
        return refuse(fmt::format("row {} is not in the vocabulary of {} words",
                                  rows.front() < 0 ? rows.front() : rows.back(),
                                  formatCount(vocabularySize)));
    }
    return rows;
}

std::int64_t blockSize(std::int64_t words, const Sampling& options) {
    if (options.independentDraws) {
        return 1;
    }
    return std::min(words, options.blockSize > 0
                               ? options.blockSize
                               : std::clamp<std::int64_t>((words + 19) / 20, 64, 1024));
}

std::int64_t blockCount(std::int64_t words, const Sampling& options) {
    const std::int64_t size = blockSize(words, options);
    return (words + size - 1) / size;
}

Result<std::vector<Row>> validate(const CalibrationOptions& options,
                                  const embedding::PreparedEmbedding& embedding) {
    RETURN_IF_ERROR(checkParameters(options));
    ASSIGN_OR_RETURN(auto words, selectWords(options.words, embedding.wordCount(), options.seed));
    RETURN_IF_ERROR(checkComparison(options, std::ssize(words)));
    RETURN_IF_ERROR(validateAxis(options));
    // The caller keeps the embedding for as long as this takes.
    RETURN_IF_ERROR(checkMechanisms(options.grid, {std::shared_ptr<const void>(), &embedding}));
    return words;
}

Result<void> validateAxis(const CalibrationOptions& options) {
    const mechanism::Mechanism& mechanism = options.grid.mechanism;
    if (!options.epsilonAxis || !mechanism.isExact()) {
        return {};
    }
    return fail(ErrorCode::unsupported,
                fmt::format("{} cannot be measured at all epsilons: only the outputs of laplace, "
                            "mahalanobis and hyperbolic noise are known between two epsilons; "
                            "give a list of epsilons",
                            mechanism.name()));
}

Result<engine::EpsilonRange> estimateRange(const engine::SearchSpace& space,
                                           const CalibrationOptions& options,
                                           const JobContext& job) {
    if (options.grid.mechanism.isExact()) {
        return rangeOfSelection(space, options, job);
    }
    ASSIGN_OR_RETURN(const auto series,
                     engine::createSeries(space, options.grid.mechanism,
                                          {centralLambda(options.grid.usedLambdas())}));
    ASSIGN_OR_RETURN(auto range,
                     engine::estimateEpsilonRange(*series, options.seed, options.threads, job));
    if (options.grid.mechanism.hasEpsilonBound()) {
        range.suggested = boundOf(options, space) + kSuggestedAboveBound;
    }
    return range;
}

std::vector<double> defaultEpsilonGrid(double low, double high) {
    std::vector<double> grid = spread({0.5 * low, 2.0 * high}, 0.0, kDefaultEpsilons);
    for (double& epsilon : grid) {
        epsilon = rounded(epsilon, 2);
    }
    return grid;
}

std::vector<double> defaultEpsilons(const engine::SearchSpace& space,
                                    const CalibrationOptions& options,
                                    const engine::EpsilonRange& range) {
    if (!options.grid.mechanism.hasEpsilonBound()) {
        return defaultEpsilonGrid(range.low, range.high);
    }
    std::vector<double> grid;
    for (const double above : kGridAboveBound) {
        grid.push_back(boundOf(options, space) + above);
    }
    return grid;
}

std::vector<double> axisEpsilons(const engine::SearchSpace& space,
                                 const CalibrationOptions& options,
                                 const engine::EpsilonRange& range, int points) {
    constexpr int kAxisDigits = 6;
    // A sum of numbers of few digits as it is in decimals.
    constexpr int kWithoutTrace = 15;
    const double origin = boundOf(options, space);
    const std::vector<double> grid = defaultEpsilons(space, options, range);
    std::vector<double> axis =
        spread({0.5 * (grid.front() - origin), 2.0 * (grid.back() - origin)}, 0.0, points);
    for (double& epsilon : axis) {
        epsilon = rounded(origin + rounded(epsilon, kAxisDigits), kWithoutTrace);
    }
    return axis;
}

}  // namespace epsilens::calibration
