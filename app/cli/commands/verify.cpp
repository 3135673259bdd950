#include "app/cli/commands/verify.h"

#include <utility>

#include <fmt/format.h>

#include "core/project/kept_document.h"
#include "core/project/session_file.h"
#include "core/report/verification.h"
#include "core/report/verification_report.h"

namespace epsilens::cli {
namespace {

std::string render(OutputFormat format, const std::vector<report::Difference>& differences) {
    switch (format) {
        case OutputFormat::json:
            return report::differencesJson(differences);
        case OutputFormat::csv:
            return report::differencesCsv(differences);
        case OutputFormat::text:
            break;
    }
    return report::differencesText(differences);
}

/// What the request loads, from the place where it lies now; its word list lies where it did, or
/// beside the document.
Result<embedding::LoadOptions> loadOptions(const report::Repetition& repetition,
                                           const project::KeptDocument& document,
                                           const std::string& typed, const std::string& from,
                                           const GeneralOptions& general) {
    embedding::LoadOptions load = repetition.request.load;
    load.threads = general.threads;
    load.path = typed.empty() ? project::firstExisting(document.embeddingPlaces) : typed;
    if (load.path == "-" && typed.empty()) {
        return fail(ErrorCode::invalidArgument,
                    "the embedding was read from standard input; name it: verify EMBEDDING --from "
                    "FILE");
    }
    if (!load.vocabularyPath.empty()) {
        project::SessionEmbedding list;
        list.load.path = load.vocabularyPath;
        load.vocabularyPath = project::firstExisting(project::embeddingPlaces(list, from));
    }
    return load;
}

}  // namespace

Result<CommandResult> runVerify(const VerifyArguments& arguments, const std::string& embedding,
                                const CommandContext& context) {
    const auto document = project::openDocument(arguments.from, context.stop);
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto repetition = report::readRepetition(document->json);
    if (!repetition) {
        return tl::unexpected(inFile(repetition.error(), arguments.from));
    }
    auto load = loadOptions(*repetition, *document, embedding, arguments.from, context.general);
    if (!load) {
        return tl::unexpected(load.error());
    }
    GeneralOptions general = context.general;
    general.load = std::move(*load);
    const auto space = openSearchSpace({general, context.console, context.stop});
    if (!space) {
        return tl::unexpected(space.error());
    }
    const auto again =
        report::repeatRun(*repetition, **space, general.threads, context.console.job(context.stop));
    context.console.finishProgress();
    if (!again) {
        return tl::unexpected(again.error());
    }
    const auto differences = report::compareDocuments(document->json, *again);
    if (!differences) {
        return tl::unexpected(differences.error());
    }
    CommandResult result{render(general.format, *differences), false, std::nullopt};
    if (!differences->empty()) {
        result.problem = Error{ErrorCode::unsupported,
                               fmt::format("{}: the values that verify found are not those it "
                                           "holds",
                                           arguments.from),
                               {},
                               0};
    }
    return result;
}

}  // namespace epsilens::cli
