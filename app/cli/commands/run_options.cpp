#include "app/cli/commands/run_options.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;

constexpr int kMostDraws = 1'000'000;
constexpr int kMostNeighbours = 1'000'000;

}  // namespace

Result<CheckedRun> checkRun(const RunArguments& arguments, const GeneralOptions& general) {
    auto mechanism = parseMechanism(arguments.mechanism);
    if (!mechanism) {
        return tl::unexpected(mechanism.error());
    }
    const auto words = parseWords(arguments.words);
    if (!words) {
        return tl::unexpected(words.error());
    }
    auto data = parseData(arguments.data);
    if (!data) {
        return tl::unexpected(data.error());
    }
    const CalibrationOptions defaults;
    const auto draws = parseCount(arguments.draws, "--draws", 1, kMostDraws, defaults.draws);
    if (!draws) {
        return tl::unexpected(draws.error());
    }
    const auto near =
        parseCount(arguments.nearNeighbours, "--near", 1, kMostNeighbours, defaults.nearNeighbours);
    if (!near) {
        return tl::unexpected(near.error());
    }
    CheckedRun checked;
    checked.options = calibrationOptions(*mechanism, general);
    checked.options.draws = *draws;
    checked.options.nearNeighbours = *near;
    checked.options.independentDraws = arguments.independentDraws;
    checked.words = *words;
    if (arguments.words.empty() && !arguments.rows.empty()) {
        checked.words.kind = WordsOption::Kind::rows;
        checked.words.rows = arguments.rows;
        checked.words.rowsFrom = arguments.rowsFrom;
    }
    checked.data = std::move(*data);
    return checked;
}

Result<void> chooseWords(const engine::SearchSpace& space, CheckedRun& checked,
                         const CommandContext& context) {
    const auto data = readData(checked.data, space.embedding().vocabulary(), context);
    if (!data) {
        return tl::unexpected(data.error());
    }
    auto selection = resolveWords(checked.words, space, *data, context);
    if (!selection) {
        return tl::unexpected(selection.error());
    }
    checked.options.words = std::move(*selection);
    checked.selection = describeSelection(checked.words, checked.data, *data);
    return {};
}

void chooseLambdas(const engine::SearchSpace& space, CalibrationOptions& options,
                   Console& console) {
    if (!options.lambdas.empty()) {
        return;
    }
    const double largest = mechanism::largestUsableLambda(space.embedding().basis);
    std::vector<double> dropped;
    for (const double lambda : calibration::defaultLambdaGrid()) {
        (lambda <= largest ? options.lambdas : dropped).push_back(lambda);
    }
    console.note(fmt::format("no --lambda given: using {}", listText(options.lambdas)));
    if (!dropped.empty()) {
        console.note(
            fmt::format("lambda {} left out: the covariance of these vectors is singular, "
                        "the largest usable lambda is {}",
                        listText(dropped), formatNumber(largest)));
    }
}

std::string listText(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : ", ") + formatNumber(value);
    }
    return text;
}

}  // namespace epsilens::cli
