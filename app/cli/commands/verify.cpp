#include "app/cli/commands/verify.h"

#include <utility>
#include <vector>

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

std::string render(OutputFormat format, const std::vector<document::Difference>& differences) {
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

/// How to load the embedding of the run. Embedding and word list are looked for at their stored
/// paths, then in the folder of the document.
Result<embedding::LoadOptions> loadOptions(const document::KeptDocument& document,
                                           const std::string& typed, const std::string& from,
                                           const GeneralOptions& general) {
    embedding::LoadOptions load = document.report.run.request.load;
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

}  // namespace

Result<CommandResult> runVerify(const VerifyArguments& arguments, const GeneralArguments& typed,
                                const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto document, document::openDocument(arguments.from, context.stop));
    if (auto repeatable = document::checkRepeatable(document); !repeatable) {
        return tl::unexpected(inFile(std::move(repeatable.error()), arguments.from));
    }
    ASSIGN_OR_RETURN(auto load,
                     loadOptions(document, typed.embedding, arguments.from, context.general));
    if (const auto apart = io::checkIsNoInput(typed.outputPath, {load.path, load.vocabularyPath});
        !apart) {
        return tl::unexpected(apart.error());
    }
    GeneralOptions general = context.general;
    general.load = std::move(load);
    ASSIGN_OR_RETURN(const auto space, openSearchSpace({general, context.console, context.stop}));
    const auto again =
        document::repeatRun(document, *space, general.threads, context.console.job(context.stop));
    context.console.finishProgress();
    if (!again) {
        return tl::unexpected(again.error());
    }
    ASSIGN_OR_RETURN(const auto differences, document::compareWith(document, *again));
    CommandResult result{render(general.format, differences), false, std::nullopt};
    if (!differences.empty()) {
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
