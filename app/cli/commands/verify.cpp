#include "app/cli/commands/verify.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/kept_document.h"
#include "core/document/session_file.h"
#include "core/document/verification.h"
#include "core/io/direct_output.h"
#include "core/report/verification_report.h"

namespace epsilens::cli {
namespace {

/// How to load the embedding of the run. Embedding and word list are looked for at their stored
/// paths, then in the folder of the document.
Result<embedding::LoadOptions> loadOptions(const document::KeptDocument& document,
                                           const std::string& typed, const std::string& from) {
    embedding::LoadOptions load = document.report.run.request.load;
    load.path = typed;
    if (typed.empty()) {
        ASSIGN_OR_RETURN(load.path, document::firstExisting(document.embeddingPlaces));
    }
    if (load.path == "-" && typed.empty()) {
        return fail(ErrorCode::invalidArgument,
                    "the embedding came from standard input; name it: verify EMBEDDING --from "
                    "FILE");
    }
    if (!load.vocabularyPath.empty()) {
        document::SessionEmbedding list;
        list.load.path = load.vocabularyPath;
        ASSIGN_OR_RETURN(load.vocabularyPath,
                         document::firstExisting(document::embeddingPlaces(list, from)));
    }
    return load;
}

/// What the evaluation of a session says otherwise when it is done again. Its texts are looked for
/// at their stored paths, then in the folder of the session.
Result<std::vector<document::Difference>> evaluatedAgain(const document::KeptEvaluation& stored,
                                                         const std::string& from,
                                                         const engine::SearchSpace& space,
                                                         const CommandContext& context) {
    const std::string path = document::dataPlace(stored.data, from);
    ASSIGN_OR_RETURN(const auto again, context.withProgress([&](const JobContext& job) {
        return document::repeatEvaluation(stored, path, space, context.general.threads, job);
    }));
    return document::evaluationDifferences(stored, again);
}

}  // namespace

Result<CommandResult> runVerify(const VerifyOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto document, document::openDocument(options.from, context.stop));
    if (auto repeatable = document::checkRepeatable(document); !repeatable) {
        return tl::unexpected(inFile(std::move(repeatable.error()), options.from));
    }
    GeneralOptions general = context.general;
    ASSIGN_OR_RETURN(general.load, loadOptions(document, general.load.path, options.from));
    RETURN_IF_ERROR(
        io::checkIsNoInput(general.outputPath, {general.load.path, general.load.vocabularyPath}));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace({general, context.console, context.stop}));
    const calibration::EmbeddingDescription& vectors = document.report.run.provenance.embedding;
    RETURN_IF_ERROR(calibration::checkVectors(space->embedding().embedding, vectors.sha256));
    if (const std::string& used = space->embedding().embedding.name;
        document.hasRun() && used != vectors.file) {
        context.console.note(fmt::format(
            "the embedding is called {} here and {} in the file; its bytes are the same", used,
            vectors.file));
    }
    if (!document.report.evaluations.empty()) {
        context.console.note(
            "the evaluations in the report are of the same embedding and mechanism; their figures "
            "are not measured again here: evaluate with the same options and seed does that");
    }
    std::vector<document::Difference> differences;
    if (document.hasRun()) {
        ASSIGN_OR_RETURN(const auto again, context.withProgress([&](const JobContext& job) {
            return document::repeatRun(document, *space, general.threads, job);
        }));
        ASSIGN_OR_RETURN(differences, document::compareWith(document, again));
    }
    if (document.evaluation) {
        ASSIGN_OR_RETURN(const auto ofEvaluation,
                         evaluatedAgain(*document.evaluation, options.from, *space, context));
        differences.insert(differences.end(), ofEvaluation.begin(), ofEvaluation.end());
    }
    CommandResult result{
        rendered(general.format, {[&] { return report::differencesText(differences); },
                                  [&] { return report::differencesJson(differences); },
                                  [&] { return report::differencesCsv(differences); }})};
    if (!differences.empty()) {
        result.problem = Error{ErrorCode::unsupported,
                               fmt::format("{}: some stored values differ from those of the "
                                           "repeated run",
                                           options.from),
                               {},
                               0};
    }
    return result;
}

}  // namespace epsilens::cli
