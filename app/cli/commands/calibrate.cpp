#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/output.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/calibration/run.h"
#include "core/document/calibration_document.h"
#include "core/document/csv_rows.h"
#include "core/report/report_model.h"

namespace epsilens::cli {
namespace {

/// The whole axis in place of a list of epsilons.
void addAxis(TypedOptions& options, CalibrateOptions& calibrate) {
    options.describe("--epsilon",
                     fmt::format("{}, or all, for dense points of the whole axis, computed "
                                 "together; default: derived from the embedding",
                                 kEpsilonLists));
    options.value(
        "--points", "N",
        fmt::format("for --epsilon all: number of points, {} to {} (default {{}})",
                    calibration::kFewestAxisPoints, formatCount(calibration::kMostAxisPoints)),
        calibrate.points, integer(calibration::kFewestAxisPoints, calibration::kMostAxisPoints));
    options.check([&]() -> Result<void> {
        if (options.isGiven("--points") && !calibrate.run.epsilonAxis) {
            return refused("--points: needs --epsilon all");
        }
        if (const auto checked = calibration::validateAxis(calibrate.run); !checked) {
            return refused("--epsilon all: " + checked.error().message);
        }
        return {};
    });
}

using calibration::CalibrationOptions;

/// Sets so many points of the axis of epsilon.
Result<void> chooseAxis(const engine::SearchSpace& space, calibration::CalibrationOptions& options,
                        int points, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, options, context));
    options.grid.epsilons = calibration::axisEpsilons(space, options, range, points);
    context.console.note(fmt::format(
        "--epsilon all: {} points from {} to {}, whose results are computed together",
        formatCount(options.grid.epsilons.size()), formatNumber(options.grid.epsilons.front()),
        formatNumber(options.grid.epsilons.back())));
    return {};
}

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

}  // namespace

void addCalibrate(TypedOptions& options, GeneralOptions& general, CalibrateOptions& calibrate) {
    addGeneral(options, general);
    addMeasuredWords(options, general, calibrate.run, calibrate.measured,
                     &calibrate.run.epsilonAxis);
    addAxis(options, calibrate);
    options.value("--deniability", "G",
                  "also count the words within odds G of each output; exact for tem and "
                  "exponential, else it needs "
                  "--independent-draws and at least 1000 --draws",
                  calibrate.run.deniabilityOdds, number({1.0, kLargest, "is below 1"}));
    options.output("--per-word", "also write the values of every word to this CSV file",
                   calibrate.perWordPath);
    options.footer(
        "The mean distance is Euclidean for Laplace and also for Mahalanobis noise, as near and "
        "far "
        "are; tem and\nexponential measure it in their own metric.\n"
        "Example:\n  epsilens-cli calibrate vectors.txt.gz --mechanism mahalanobis "
        "--epsilon 1,5,10,20,40 \\\n      --lambda 0..1x5 --words 500 --draws 100 --seed 1 "
        "--format json -o calibration.json");
}

Result<CommandResult> runCalibrate(const CalibrateOptions& options, const CommandContext& context) {
    CalibrationOptions asked = options.run;
    asked.criticalEpsilons = !options.perWordPath.empty();
    if (asked.criticalEpsilons) {
        RETURN_IF_ERROR(checkOutput(options.perWordPath));
    }
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(auto selection, chooseWords(options.measured, *space, context, asked.words));
    chooseLambdas(*space, asked.grid, context.console);
    RETURN_IF_ERROR(asked.epsilonAxis ? chooseAxis(*space, asked, options.points, context)
                                      : chooseEpsilons(*space, asked, context));
    RETURN_IF_ERROR(calibration::validate(asked, space->embedding()));
    noteMissingStatistics(asked, context.console);
    ASSIGN_OR_RETURN(auto summary, context.withProgress([&](const JobContext& job) {
        return calibration::calibrate(*space, asked, job, context.crew());
    }));
    if (context.endsHere()) {
        return CommandResult{.isWritten = true};
    }
    if (asked.criticalEpsilons && (context.team == nullptr || !summary.partial)) {
        RETURN_IF_ERROR(writeOutput(options.perWordPath,
                                    document::perWordCsv(summary, space->embedding().vocabulary()),
                                    context.stop));
    }
    ASSIGN_OR_RETURN(
        auto run, calibration::describeRun(*space, std::move(summary),
                                           calibration::keptRequest(context.general.load, asked)));
    run.provenance.selection = std::move(selection);
    return rendered(context.general,
                    {[&] { return document::calibrationDocument(run); }, "cells",
                     [&] { return report::reportText(report::calibrationPage(run)); }},
                    run.summary->partial);
}

}  // namespace epsilens::cli
