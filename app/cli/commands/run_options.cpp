#include "app/cli/commands/run_options.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;

constexpr int kMostDraws = 1'000'000;
constexpr int kMostNeighbours = 1'000'000;

}  // namespace

Result<CheckedRun> checkRun(const RunArguments& arguments, const GeneralOptions& general) {
    ASSIGN_OR_RETURN(auto mechanism, parseMechanism(arguments.mechanism));
    ASSIGN_OR_RETURN(const auto words, parseWords(arguments.words));
    ASSIGN_OR_RETURN(auto data, parseData(arguments.data));
    const CalibrationOptions defaults;
    ASSIGN_OR_RETURN(const auto draws,
                     parseCount(arguments.draws, "--draws", 1, kMostDraws, defaults.draws));
    ASSIGN_OR_RETURN(const auto near, parseCount(arguments.nearNeighbours, "--near", 1,
                                                 kMostNeighbours, defaults.nearNeighbours));
    CheckedRun checked;
    checked.options = calibrationOptions(mechanism, general);
    checked.options.draws = draws;
    checked.options.nearNeighbours = near;
    checked.options.independentDraws = arguments.independentDraws;
    checked.words = words;
    if (arguments.words.empty() && !arguments.rows.empty()) {
        checked.words.kind = WordsOption::Kind::rows;
        checked.words.rows = arguments.rows;
        checked.words.rowsFrom = arguments.rowsFrom;
    }
    checked.data = std::move(data);
    return checked;
}

Result<void> chooseWords(const engine::SearchSpace& space, CheckedRun& checked,
                         const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto data,
                     readData(checked.data, space.embedding().vocabulary(), context));
    ASSIGN_OR_RETURN(auto selection, resolveWords(checked.words, space, data, context));
    checked.options.words = std::move(selection);
    checked.selection = describeSelection(checked.words, checked.data, data);
    return {};
}

void chooseLambdas(const engine::SearchSpace& space, CalibrationOptions& options,
                   Console& console) {
    if (!options.grid.lambdas.empty()) {
        return;
    }
    const double largest = mechanism::largestUsableLambda(space.embedding().basis);
    std::vector<double> dropped;
    for (const double lambda : calibration::defaultLambdaGrid()) {
        (lambda <= largest ? options.grid.lambdas : dropped).push_back(lambda);
    }
    console.note(fmt::format("no --lambda given: using {}", listText(options.grid.lambdas)));
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
