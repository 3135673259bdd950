#include "app/cli/commands/calibrate.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/grid_defaults.h"
#include "app/cli/output.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/document/calibration_document.h"
#include "core/report/calibration_text.h"
#include "core/report/per_word_csv.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;

/// Notes the requested statistics that this run cannot have.
void noteMissingStatistics(const CalibrationOptions& options, Console& console) {
    const bool isExact = options.grid.mechanism.isExact();
    const std::string_view name = options.grid.mechanism.name();
    if (isExact && options.independentDraws) {
        console.note(fmt::format(
            "--independent-draws: no effect, because {} is computed without draws; every word can "
            "become every word, so K_w does not exist",
            name));
    }
    if (!isExact && options.deniabilityOdds &&
        options.draws < calibration::kLeastDeniabilityDraws) {
        console.note(fmt::format("--deniability: left out, because it needs --draws of at least {}",
                                 formatCount(calibration::kLeastDeniabilityDraws)));
    }
}

/// Fills in defaults and checks the options against the embedding.
Result<void> prepareRun(const engine::SearchSpace& space, CalibrationOptions& options, int points,
                        const CommandContext& context) {
    chooseLambdas(space, options.grid, context.console);
    RETURN_IF_ERROR(options.epsilonAxis ? chooseAxis(space, options, points, context)
                                        : chooseEpsilons(space, options, context));
    if (std::optional<Error> problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(std::move(*problem));
    }
    if (context.isFirst()) {
        noteMissingStatistics(options, context.console);
    }
    return {};
}

}  // namespace

Result<CommandResult> runCalibrate(const CalibrateOptions& options, const CommandContext& context) {
    CalibrationOptions asked = options.run;
    asked.criticalEpsilons = !options.perWordPath.empty();
    std::optional<Output> perWord;
    if (!options.perWordPath.empty()) {
        ASSIGN_OR_RETURN(perWord, Output::open(options.perWordPath));
    }
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(auto selection, chooseWords(options.measured, *space, context, asked.words));
    RETURN_IF_ERROR(prepareRun(*space, asked, options.points, context));
    ASSIGN_OR_RETURN(auto summary, context.withProgress([&](const JobContext& job) {
        return context.team != nullptr ? context.team->calibrate(*space, asked, job)
                                       : calibration::calibrate(*space, asked, job);
    }));
    if (perWord) {
        RETURN_IF_ERROR(perWord->write(report::perWordCsv(summary, space->embedding().vocabulary()),
                                       context.stop));
    }
    ASSIGN_OR_RETURN(
        auto run, calibration::describeRun(*space, std::move(summary),
                                           calibration::keptRequest(context.general.load, asked)));
    run.provenance.selection = std::move(selection);
    return CommandResult{
        rendered(context.general.format, {[&] { return document::calibrationDocument(run); },
                                          "cells", [&] { return report::calibrationText(run); }}),
        run.summary->partial};
}

}  // namespace epsilens::cli
