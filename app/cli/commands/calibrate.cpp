#include "app/cli/commands/calibrate.h"

#include <optional>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/document/calibration_document.h"
#include "core/report/calibration_csv.h"
#include "core/report/calibration_text.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;
using calibration::CalibrationSummary;

/// Nothing if the option is not given.
Result<std::optional<double>> parseDeniability(const std::string& typed) {
    if (typed.empty()) {
        return std::nullopt;
    }
    ASSIGN_OR_RETURN(const auto odds, parseNumber(typed, "--deniability"));
    if (!(odds >= 1.0)) {
        return fail(ErrorCode::invalidArgument, fmt::format("--deniability: {} is below 1", typed));
    }
    return std::optional(odds);
}

/// Notes the requested statistics that this run cannot have.
void noteMissingStatistics(const CalibrationOptions& options, Console& console) {
    const bool isTem = options.grid.mechanism.isExact();
    if (isTem && options.independentDraws) {
        console.note(
            "--independent-draws: no effect, because tem is computed without draws; every word can "
            "become every word, so K_w does not exist");
    }
    if (isTem && options.rerunWorst) {
        console.note("--rerun-worst: no effect, because the N_w of tem are exact");
    }
    if (!isTem && options.deniabilityOdds && options.draws < calibration::kLeastDeniabilityDraws) {
        console.note(fmt::format("--deniability: left out, because it needs --draws of at least {}",
                                 formatCount(calibration::kLeastDeniabilityDraws)));
    }
}

Result<CheckedRun> check(const CalibrateArguments& arguments, const GeneralOptions& general) {
    auto checked = checkRun(arguments.run, general);
    if (!checked) {
        return checked;
    }
    ASSIGN_OR_RETURN(const auto odds, parseDeniability(arguments.deniability));
    CalibrationOptions& options = checked->options;
    options.deniabilityOdds = odds;
    options.rerunWorst = arguments.rerunWorst;
    options.criticalEpsilons =
        !arguments.perWordPath.empty() &&
        (options.grid.mechanism.isExact() || options.grid.mechanism.hasPaths());
    return checked;
}

/// Estimates the default grid of epsilon if none is given.
Result<void> chooseEpsilons(const engine::SearchSpace& space, CalibrationOptions& options,
                            const CommandContext& context) {
    if (!options.grid.epsilons.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, options, context));
    options.grid.epsilons = calibration::defaultEpsilons(space, options, range);
    context.console.note(
        fmt::format("no --epsilon given: using {} ({})", listText(options.grid.epsilons),
                    calibration::defaultsFollowBound(options)
                        ? std::string("derived from m - 1, the bound above which this noise exists")
                        : fmt::format("from the critical epsilons of {} random words",
                                      formatCount(range.words))));
    return {};
}

void announceCost(const calibration::CostEstimate& cost, const CalibrationOptions& options,
                  Console& console) {
    const std::string seconds = cost.seconds < 1.0 ? "1" : fmt::format("{:.0f}", cost.seconds);
    if (options.grid.mechanism.isExact()) {
        const bool byRadius = !options.grid.gammas.empty();
        std::string grid = fmt::format(
            "{} words × {} ε × {} {}", formatCount(cost.words), options.grid.epsilons.size(),
            byRadius ? options.grid.gammas.size() : options.grid.betas.size(),
            byRadius ? "γ" : "β");
        if (options.grid.mechanism.hasLambda()) {
            grid += fmt::format(" × {} λ", options.grid.lambdas.size());
        }
        console.note(fmt::format("{}, exact for {} draws, about {} s", grid,
                                 formatCount(options.draws), seconds));
        return;
    }
    console.note(fmt::format("{} words × {} draws × {} ε × {} λ = {} substitutions, about {} s",
                             formatCount(cost.words), formatCount(options.draws),
                             options.grid.epsilons.size(), options.grid.lambdas.size(),
                             formatCount(cost.substitutions), seconds));
}

/// Fills in defaults, checks the options against the embedding and announces the cost.
Result<void> prepareRun(const engine::SearchSpace& space, CheckedRun& checked,
                        const CommandContext& context) {
    CalibrationOptions& options = checked.options;
    if (Result<void> chosen = chooseWords(space, checked, context); !chosen) {
        return chosen;
    }
    chooseLambdas(space, options, context.console);
    if (Result<void> chosen = chooseEpsilons(space, options, context); !chosen) {
        return chosen;
    }
    if (std::optional<Error> problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(std::move(*problem));
    }
    noteMissingStatistics(options, context.console);
    ASSIGN_OR_RETURN(const auto cost, calibration::estimateCost(space, options));
    announceCost(cost, options, context.console);
    return refuseLongWork(cost.seconds, context);
}

/// The file for the values of every word; nothing if the option is not given.
Result<std::optional<Output>> openPerWord(const std::string& path) {
    if (path.empty()) {
        return std::nullopt;
    }
    return Output::open(path).map([](Output&& output) { return std::optional(std::move(output)); });
}

std::string render(OutputFormat format, const calibration::Run& run) {
    switch (format) {
        case OutputFormat::json:
            return document::calibrationJson(run);
        case OutputFormat::csv:
            return report::calibrationCsv(*run.summary);
        case OutputFormat::text:
            break;
    }
    return report::calibrationText(run);
}

}  // namespace

Result<CommandResult> runCalibrate(const CalibrateArguments& arguments,
                                   const CommandContext& context) {
    ASSIGN_OR_RETURN(auto checked, check(arguments, context.general));
    ASSIGN_OR_RETURN(const auto perWord, openPerWord(arguments.perWordPath));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    RETURN_IF_ERROR(prepareRun(*space, checked, context));
    auto summary =
        calibration::calibrate(*space, checked.options, context.console.job(context.stop));
    context.console.finishProgress();
    if (!summary) {
        return tl::unexpected(summary.error());
    }
    if (perWord) {
        RETURN_IF_ERROR(
            perWord->write(report::perWordCsv(*summary, space->embedding().vocabulary())));
    }
    ASSIGN_OR_RETURN(
        auto run,
        calibration::describeRun(*space, std::move(*summary),
                                 calibration::keptRequest(context.general.load, checked.options)));
    run.provenance.selection = checked.selection;
    return CommandResult{render(context.general.format, run), run.summary->partial};
}

}  // namespace epsilens::cli
