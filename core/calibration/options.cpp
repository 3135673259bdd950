#include "core/calibration/options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/engine/word_sample.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::calibration {
namespace {

constexpr int kMostDraws = 1'000'000;

std::optional<Error> validateParameters(const CalibrationOptions& options) {
    if (options.grid.epsilons.empty()) {
        return invalidArgument("the grid has no epsilon");
    }
    for (const double epsilon : options.grid.epsilons) {
        if (!(epsilon > 0.0 && std::isfinite(epsilon))) {
            return invalidArgument(
                fmt::format("epsilon {} is outside its range, finite and above 0", epsilon));
        }
    }
    if (!(options.draws >= 1 && options.draws <= kMostDraws)) {
        return invalidArgument(fmt::format("draws {} is outside its range, 1 to {}", options.draws,
                                           formatCount(kMostDraws)));
    }
    if (!(options.nearNeighbours >= 1)) {
        return invalidArgument(
            fmt::format("near {} is outside its range, at least 1", options.nearNeighbours));
    }
    if (options.grid.usedLambdas().empty()) {
        return invalidArgument("the grid has no lambda");
    }
    return std::nullopt;
}

std::optional<Error> validateComparison(const CalibrationOptions& options, std::int64_t words) {
    if (options.deniabilityOdds &&
        !(*options.deniabilityOdds >= 1.0 && std::isfinite(*options.deniabilityOdds))) {
        return invalidArgument(
            fmt::format("deniability odds {} are outside their range, finite and at "
                        "least 1",
                        *options.deniabilityOdds));
    }
    if (options.grid.mechanism.isExact()) {
        return std::nullopt;
    }
    if (options.deniabilityOdds && !options.independentDraws) {
        return invalidArgument(
            "deniability compares words and needs independent draws for each of them");
    }
    if (options.independentDraws && words > kMostComparedWords) {
        return invalidArgument(fmt::format(
            "independent draws are for at most {} words, {} were asked for: every word needs "
            "projections of its own draws on the whole vocabulary",
            formatCount(kMostComparedWords), formatCount(words)));
    }
    return std::nullopt;
}

/// What is wrong with the mechanism at any of its parameters and epsilons, or nothing.
std::optional<Error> validateMechanisms(const mechanism::Grid& grid,
                                        const embedding::EmbeddingHandle& embedding) {
    const std::vector<mechanism::Mechanism> mechanisms = grid.mechanisms();
    if (mechanisms.empty()) {
        return invalidArgument("the grid has neither a gamma nor a beta");
    }
    // Each mechanism has a smallest and a largest epsilon and is sound in between.
    const auto extremes = std::ranges::minmax(grid.epsilons);
    for (const mechanism::Mechanism& mechanism : mechanisms) {
        const auto prepared = mechanism::PreparedMechanism::create(embedding, mechanism);
        if (!prepared) {
            return prepared.error();
        }
        for (const double epsilon : {extremes.min, extremes.max}) {
            if (const auto guarantee = prepared->guarantee(epsilon); !guarantee) {
                return guarantee.error();
            }
        }
    }
    return std::nullopt;
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
                return tl::unexpected(invalidArgument(
                    fmt::format("words {} is outside its range, at least 1", selection.count)));
            }
            return engine::sampleWords(vocabularySize, selection.count, seed);
        case WordSelection::Kind::list:
            break;
    }
    std::vector<Row> rows = selection.rows;
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) {
        return tl::unexpected(invalidArgument("the list of words is empty"));
    }
    if (rows.front() < 0 || rows.back() >= vocabularySize) {
        return tl::unexpected(invalidArgument(fmt::format(
            "row {} is not in the vocabulary of {} words",
            rows.front() < 0 ? rows.front() : rows.back(), formatCount(vocabularySize))));
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

std::optional<Error> validate(const CalibrationOptions& options,
                              const embedding::PreparedEmbedding& embedding) {
    if (auto error = validateParameters(options)) {
        return error;
    }
    const auto words = selectWords(options.words, embedding.wordCount(), options.seed);
    if (!words) {
        return words.error();
    }
    if (auto error = validateComparison(options, std::ssize(*words))) {
        return error;
    }
    if (auto error = validateAxis(options)) {
        return error;
    }
    // The caller keeps the embedding for as long as this takes.
    return validateMechanisms(options.grid, {std::shared_ptr<const void>(), &embedding});
}

std::optional<Error> validateAxis(const CalibrationOptions& options) {
    const mechanism::Mechanism& mechanism = options.grid.mechanism;
    if (!options.epsilonAxis || !mechanism.isExact()) {
        return std::nullopt;
    }
    return Error{ErrorCode::unsupported,
                 fmt::format("{} cannot be measured at all epsilons: only the outputs of laplace, "
                             "mahalanobis and hyperbolic noise are known between two epsilons; "
                             "give a list of epsilons",
                             mechanism.name()),
                 {},
                 0};
}

}  // namespace epsilens::calibration
