#include "app/cli/commands/merge.h"

#include <utility>

#include <fmt/format.h>

#include "app/cli/commands/calibrate.h"
#include "core/base/pass_on.h"
#include "core/calibration/run_part.h"
#include "core/document/json_parser.h"
#include "core/document/part_document.h"
#include "core/document/session_file.h"
#include "core/document/sidecar_sum.h"
#include "core/io/direct_output.h"

namespace epsilens::cli {
namespace {

Result<document::PartDocument> readParts(const std::vector<std::string>& paths,
                                         const std::stop_token& stop) {
    std::vector<document::NamedPart> parts;
    for (const std::string& path : paths) {
        ASSIGN_OR_RETURN(auto part, document::openPart(path, stop));
        parts.push_back({path, std::move(part)});
    }
    return document::mergeParts(std::move(parts));
}

/// Embedding and word list are looked for at their stored paths, then beside the part.
Result<embedding::LoadOptions> storedLoad(const embedding::LoadOptions& stored,
                                          const std::string& typed, const std::string& part) {
    const auto placeOf = [&](const std::string& path) {
        document::SessionEmbedding embedding;
        embedding.load.path = path;
        return document::firstExisting(document::embeddingPlaces(embedding, part));
    };
    embedding::LoadOptions load = stored;
    load.path = typed;
    if (typed.empty()) {
        ASSIGN_OR_RETURN(load.path, placeOf(stored.path));
    }
    if (!stored.vocabularyPath.empty()) {
        ASSIGN_OR_RETURN(load.vocabularyPath, placeOf(stored.vocabularyPath));
    }
    return load;
}

Result<CommandResult> mergeCalibration(const MergeOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(auto whole, readParts(options.paths, context.stop));
    GeneralOptions general = context.general;
    ASSIGN_OR_RETURN(general.load, storedLoad(whole.request.load, context.general.load.path,
                                              options.paths.front()));
    if (general.load.path == "-" && context.general.load.path.empty()) {
        return fail(ErrorCode::invalidArgument,
                    "the embedding came from standard input; name it: --embedding FILE");
    }
    RETURN_IF_ERROR(
        io::checkIsNoInput(general.outputPath, {general.load.path, general.load.vocabularyPath}));
    const CommandContext own{general, context.console, context.stop};
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(own));
    if (const std::string& found = space->embedding().embedding.report.sha256;
        found != whole.sha256) {
        return tl::unexpected(
            Error{ErrorCode::badFile,
                  fmt::format("SHA-256 {} instead of {}: these are not the vectors of the parts; "
                              "name the right ones: --embedding FILE",
                              found, whole.sha256),
                  general.load.path, 0});
    }
    calibration::CalibrationOptions asked = whole.request.options;
    asked.threads = general.threads;
    ASSIGN_OR_RETURN(auto summary, own.withProgress([&](const JobContext& job) {
        return calibration::calibrateFromParts(*space, asked, std::move(whole.part), job);
    }));
    ASSIGN_OR_RETURN(auto run, calibration::describeRun(*space, std::move(summary), whole.request));
    run.provenance.selection = std::move(whole.selection);
    return renderedRun(general.format, run);
}

}  // namespace

Result<CommandResult> runMerge(const MergeOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto first, document::openJson(options.paths.front(), context.stop));
    if (document::isFamily(first, document::kPartSchema)) {
        return mergeCalibration(options, context);
    }
    if (!document::isFamily(first, document::kSidecarSchema)) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "it is neither a part of a calibration (calibrate --part) nor "
                                    "a sidecar (sanitize --sidecar)",
                                    options.paths.front(), 0});
    }
    return document::sumSidecars(options.paths, context.stop).map([](std::string&& text) {
        return CommandResult{std::move(text)};
    });
}

}  // namespace epsilens::cli
