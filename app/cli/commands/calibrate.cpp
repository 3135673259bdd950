#include "app/cli/commands/calibrate.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/cli/commands/word_list.h"
#include "app/cli/output.h"
#include "core/base/numbers.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/report/calibration_csv.h"
#include "core/report/calibration_json.h"
#include "core/report/calibration_text.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;
using calibration::CalibrationSummary;

constexpr int kMostDraws = 1'000'000;
constexpr int kMostNeighbours = 1'000'000;
constexpr double kDefaultLambdas[] = {0.0, 0.25, 0.5, 0.75, 1.0};

/// What was typed, checked as far as it can be without the embedding.
struct CheckedArguments {
    CalibrationOptions options{};
    WordsOption words{};
    std::optional<text::RecordOptions> data{};
    std::optional<report::SelectionDescription> selection{};  ///< once the words are chosen
};

Result<CheckedArguments> check(const CalibrateArguments& arguments, const GeneralOptions& general) {
    CheckedArguments checked;
    CalibrationOptions& options = checked.options;
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
    options = calibrationOptions(*mechanism, general);
    options.draws = *draws;
    options.nearNeighbours = *near;
    options.criticalEpsilons =
        !arguments.perWordPath.empty() && options.placement == mechanism::Placement::mobius;
    checked.words = *words;
    checked.data = std::move(*data);
    return checked;
}

std::string listText(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : ", ") + formatNumber(value);
    }
    return text;
}

/// The default grid of lambda without the values this embedding cannot run, which are named.
void chooseLambdas(const engine::SearchSpace& space, CalibrationOptions& options,
                   Console& console) {
    if (!options.lambdas.empty()) {
        return;
    }
    const double largest = mechanism::largestUsableLambda(space.embedding().basis);
    std::vector<double> dropped;
    for (const double lambda : kDefaultLambdas) {
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

/// Estimates the default grid of epsilon where none was given.
Result<void> chooseEpsilons(const engine::SearchSpace& space, CalibrationOptions& options,
                            const CommandContext& context) {
    if (!options.epsilons.empty()) {
        return {};
    }
    const auto range = epsilonRange(space, options, context);
    if (!range) {
        return tl::unexpected(range.error());
    }
    options.epsilons = calibration::defaultEpsilons(space, options, *range);
    context.console.note(
        fmt::format("no --epsilon given: using {} ({})", listText(options.epsilons),
                    calibration::defaultsFollowBound(options)
                        ? std::string("from m - 1, above which this noise exists")
                        : fmt::format("from the critical epsilons of {} random words",
                                      formatCount(range->words))));
    return {};
}

void announceCost(const calibration::CostEstimate& cost, const CalibrationOptions& options,
                  Console& console) {
    const std::string seconds = cost.seconds < 1.0 ? "1" : fmt::format("{:.0f}", cost.seconds);
    if (options.mechanism == mechanism::Kind::tem) {
        const bool byRadius = !options.gammas.empty();
        std::string grid = fmt::format(
            "{} words × {} ε × {} {}", formatCount(cost.words), options.epsilons.size(),
            byRadius ? options.gammas.size() : options.betas.size(), byRadius ? "γ" : "β");
        if (mechanism::hasLambda(options.mechanism, options.metric)) {
            grid += fmt::format(" × {} λ", options.lambdas.size());
        }
        console.note(fmt::format("{}, exact for {} draws, about {} s", grid,
                                 formatCount(options.draws), seconds));
        return;
    }
    console.note(fmt::format("{} words × {} draws × {} ε × {} λ = {} substitutions, about {} s",
                             formatCount(cost.words), formatCount(options.draws),
                             options.epsilons.size(), options.lambdas.size(),
                             formatCount(cost.substitutions), seconds));
}

/// Fills in defaults, checks everything against the embedding, says what it will cost.
Result<void> prepareRun(const engine::SearchSpace& space, CheckedArguments& checked,
                        const CommandContext& context) {
    CalibrationOptions& options = checked.options;
    const auto data = readData(checked.data, space.embedding().vocabulary(), context);
    if (!data) {
        return tl::unexpected(data.error());
    }
    auto selection = resolveWords(checked.words, space, *data, context);
    if (!selection) {
        return tl::unexpected(selection.error());
    }
    options.words = std::move(*selection);
    checked.selection = describeSelection(checked.words, *data);
    chooseLambdas(space, options, context.console);
    if (Result<void> chosen = chooseEpsilons(space, options, context); !chosen) {
        return chosen;
    }
    if (std::optional<Error> problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(std::move(*problem));
    }
    const auto cost = calibration::estimateCost(space, options);
    if (!cost) {
        return tl::unexpected(cost.error());
    }
    announceCost(*cost, options, context.console);
    return refuseLongWork(cost->seconds, context);
}

/// The file for the values of every word, nothing when none was asked for.
Result<std::optional<Output>> openPerWord(const std::string& path) {
    if (path.empty()) {
        return std::nullopt;
    }
    return Output::open(path).map([](Output&& output) { return std::optional(std::move(output)); });
}

std::string render(OutputFormat format, const report::RunDescription& run,
                   const CalibrationSummary& summary) {
    switch (format) {
        case OutputFormat::json:
            return report::calibrationJson(run, summary);
        case OutputFormat::csv:
            return report::calibrationCsv(summary);
        case OutputFormat::text:
            break;
    }
    return report::calibrationText(run, summary);
}

}  // namespace

Result<CommandResult> runCalibrate(const CalibrateArguments& arguments,
                                   const CommandContext& context) {
    auto checked = check(arguments, context.general);
    if (!checked) {
        return tl::unexpected(checked.error());
    }
    const auto perWord = openPerWord(arguments.perWordPath);
    if (!perWord) {
        return tl::unexpected(perWord.error());
    }
    const auto space = openSearchSpace(context);
    if (!space) {
        return tl::unexpected(space.error());
    }
    if (const auto ready = prepareRun(**space, *checked, context); !ready) {
        return tl::unexpected(ready.error());
    }
    const auto summary =
        calibration::calibrate(**space, checked->options, context.console.job(context.stop));
    context.console.finishProgress();
    if (!summary) {
        return tl::unexpected(summary.error());
    }
    if (*perWord) {
        const auto written =
            (*perWord)->write(report::perWordCsv(*summary, (*space)->embedding().vocabulary()));
        if (!written) {
            return tl::unexpected(written.error());
        }
    }
    report::RunDescription run = report::describeRun((*space)->embedding());
    run.selection = checked->selection;
    return CommandResult{render(context.general.format, run, *summary), summary->partial};
}

}  // namespace epsilens::cli
