#include "app/cli/commands/calibrate.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/cli/commands/grid_defaults.h"
#include "app/cli/output.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/word_steps.h"
#include "core/document/calibration_document.h"
#include "core/document/part_document.h"
#include "core/io/csv.h"
#include "core/report/calibration_csv.h"
#include "core/report/calibration_text.h"
#include "core/report/steps_csv.h"

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

/// A file beside the results; nothing if the option is not given.
Result<std::optional<Output>> openIfNamed(const std::string& path) {
    if (path.empty()) {
        return std::nullopt;
    }
    return Output::open(path).map([](Output&& output) { return std::optional(std::move(output)); });
}

/// Files with every epsilon at which something changes, over the words and of every word.
struct StepFiles {
    std::optional<Output> overWords{};
    std::optional<Output> ofWords{};
};

Result<StepFiles> openSteps(const CalibrateOptions& options) {
    StepFiles files;
    ASSIGN_OR_RETURN(files.overWords, openIfNamed(options.stepsPath));
    ASSIGN_OR_RETURN(files.ofWords, openIfNamed(options.wordStepsPath));
    return files;
}

/// Measures them at every lambda, under the draws of the run, and hands their lines on.
///
/// overWords, ofWords  empty: not asked for
Result<void> produceSteps(const engine::SearchSpace& space, const CalibrationOptions& asked,
                          const CommandContext& context, const io::TakeText& overWords,
                          const io::TakeText& ofWords) {
    RETURN_IF_ERROR(overWords ? overWords(report::kStepsHeader) : Result<void>());
    RETURN_IF_ERROR(ofWords ? ofWords(report::kWordStepsHeader) : Result<void>());
    for (const double lambda : asked.grid.usedLambdas()) {
        const std::string field =
            asked.grid.mechanism.hasLambda() ? io::csvNumber(lambda) : std::string();
        ASSIGN_OR_RETURN(const auto words, context.withProgress([&](const JobContext& job) {
            return calibration::stepsOfSetting(space, asked, lambda, job);
        }));
        const JobContext job{context.stop, {}};
        if (overWords) {
            RETURN_IF_ERROR(report::writeSteps(overWords, words, asked.draws, field, job));
        }
        if (ofWords) {
            RETURN_IF_ERROR(report::writeWordSteps(ofWords, words, asked.draws, field,
                                                   space.embedding().vocabulary(),
                                                   context.general.csvWords(), job));
        }
    }
    return {};
}

Result<void> writeSteps(const engine::SearchSpace& space, const CalibrationOptions& asked,
                        const StepFiles& files, const CommandContext& context) {
    if ((!files.overWords && !files.ofWords) || !context.isFirst()) {
        return {};
    }
    using Produce = std::function<Result<void>(const io::TakeText&)>;
    const auto into = [&](const std::optional<Output>& file, const Produce& produce) {
        return file ? file->writePieces(produce, context.stop) : produce({});
    };
    return into(files.overWords, [&](const io::TakeText& overWords) {
        return into(files.ofWords, [&](const io::TakeText& ofWords) {
            return produceSteps(space, asked, context, overWords, ofWords);
        });
    });
}

Result<CommandResult> runPart(const engine::SearchSpace& space, const CalibrationOptions& asked,
                              const CalibratePart& part,
                              std::optional<calibration::SelectionDescription> selection,
                              const CommandContext& context) {
    const auto next = calibration::everyBlock(part.index - 1, part.parts);
    ASSIGN_OR_RETURN(auto blocks, context.withProgress([&](const JobContext& job) {
        return calibration::calibratePart(space, asked, next, job);
    }));
    document::PartDocument document;
    document.index = part.index;
    document.parts = part.parts;
    document.version = calibration::programVersion();
    document.sha256 = space.embedding().embedding.report.sha256;
    document.request = calibration::keptRequest(context.general.load, asked);
    document.selection = std::move(selection);
    document.part = std::move(blocks);
    return CommandResult{document::partJson(document), context.stop.stop_requested()};
}

}  // namespace

CommandResult renderedRun(OutputFormat format, const calibration::Run& run) {
    return {rendered(format, {[&] { return report::calibrationText(run); },
                              [&] { return document::calibrationJson(run); },
                              [&] { return report::calibrationCsv(*run.summary); }}),
            run.summary->partial,
            {}};
}

Result<CommandResult> runCalibrate(const CalibrateOptions& options, const CommandContext& context) {
    CalibrationOptions asked = options.run;
    asked.criticalEpsilons = !options.perWordPath.empty();
    ASSIGN_OR_RETURN(const auto perWord, openIfNamed(options.perWordPath));
    ASSIGN_OR_RETURN(const auto steps, openSteps(options));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(auto selection, chooseWords(options.measured, *space, context, asked.words));
    RETURN_IF_ERROR(prepareRun(*space, asked, options.points, context));
    if (options.part) {
        return runPart(*space, asked, *options.part, std::move(selection), context);
    }
    ASSIGN_OR_RETURN(auto summary, context.withProgress([&](const JobContext& job) {
        return context.team != nullptr ? context.team->calibrate(*space, asked, job)
                                       : calibration::calibrate(*space, asked, job);
    }));
    if (perWord) {
        RETURN_IF_ERROR(perWord->write(report::perWordCsv(summary, space->embedding().vocabulary(),
                                                          context.general.csvWords()),
                                       context.stop));
    }
    if (!summary.partial) {
        RETURN_IF_ERROR(writeSteps(*space, asked, steps, context));
    }
    ASSIGN_OR_RETURN(
        auto run, calibration::describeRun(*space, std::move(summary),
                                           calibration::keptRequest(context.general.load, asked)));
    run.provenance.selection = std::move(selection);
    return renderedRun(context.general.format, run);
}

}  // namespace epsilens::cli
