#include "app/cli/commands/verify.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/document/session_file.h"
#include "core/io/direct_output.h"
#include "core/report/kept_document.h"
#include "core/report/verification.h"
#include "core/report/verification_report.h"

namespace epsilens::cli {
namespace {

std::string render(OutputFormat format, const report::VerificationResult& found) {
    switch (format) {
        case OutputFormat::json:
            return report::differencesJson(found);
        case OutputFormat::csv:
            return report::differencesCsv(found);
        case OutputFormat::text:
            break;
    }
    return report::differencesText(found);
}

/// How to load the embedding of the run. Embedding and word list are looked for at their stored
/// paths, then in the folder of the document.
Result<embedding::LoadOptions> loadOptions(const report::Repetition& repetition,
                                           const report::KeptDocument& document,
                                           const std::string& typed, const std::string& from,
                                           const GeneralOptions& general) {
    embedding::LoadOptions load = repetition.request.load;
    load.threads = general.threads;
    load.path = typed.empty() ? document::firstExisting(document.embeddingPlaces) : typed;
    if (load.path == "-" && typed.empty()) {
        return fail(ErrorCode::invalidArgument,
                    "the embedding came from standard input; name it: verify EMBEDDING --from "
                    "FILE");
    }
    if (!load.vocabularyPath.empty()) {
        document::SessionEmbedding list;
        list.load.path = load.vocabularyPath;
        load.vocabularyPath = document::firstExisting(document::embeddingPlaces(list, from));
    }
    return load;
}

Result<report::VerificationResult> compared(const std::string& stored, const std::string& again) {
    ASSIGN_OR_RETURN(auto differences, report::compareDocuments(stored, again));
    return report::statementsLeftOut(stored, again).map([&](std::string leftOut) {
        return report::VerificationResult{std::move(differences), std::move(leftOut)};
    });
}

}  // namespace

Result<CommandResult> runVerify(const VerifyArguments& arguments, const GeneralArguments& typed,
                                const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto document, report::openDocument(arguments.from, context.stop));
    const auto repetition = report::readRepetition(document.json);
    if (!repetition) {
        return tl::unexpected(inFile(repetition.error(), arguments.from));
    }
    ASSIGN_OR_RETURN(auto load, loadOptions(*repetition, document, typed.embedding, arguments.from,
                                            context.general));
    if (const auto apart = io::checkIsNoInput(typed.outputPath, {load.path, load.vocabularyPath});
        !apart) {
        return tl::unexpected(apart.error());
    }
    GeneralOptions general = context.general;
    general.load = std::move(load);
    ASSIGN_OR_RETURN(const auto space, openSearchSpace({general, context.console, context.stop}));
    const auto again =
        report::repeatRun(*repetition, *space, general.threads, context.console.job(context.stop));
    context.console.finishProgress();
    if (!again) {
        return tl::unexpected(again.error());
    }
    const auto found = compared(document.json, *again);
    if (!found) {
        return tl::unexpected(found.error());
    }
    // The rows of a CSV file have no place for this sentence.
    if (general.format == OutputFormat::csv && !found->statementsLeftOut.empty()) {
        context.console.warning(report::leftOutText(*found));
    }
    CommandResult result{render(general.format, *found), false, std::nullopt};
    if (!found->differences.empty()) {
        result.problem = Error{ErrorCode::unsupported,
                               fmt::format("{}: some stored values differ from those of the "
                                           "repeated run",
                                           arguments.from),
                               {},
                               0};
    }
    return result;
}

}  // namespace epsilens::cli
