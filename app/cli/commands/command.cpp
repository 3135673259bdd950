#include "app/cli/commands/command.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/document/csv_rows.h"
#include "core/document/json_parts.h"
#include "core/embedding/load.h"
#include "core/report/info_report.h"
#include "core/text/nearest_spellings.h"

namespace epsilens::cli {

Result<engine::SearchSpaceHandle> openSearchSpace(const CommandContext& context) {
    embedding::LoadOptions load = context.general.load;
    load.threads = context.general.threads;
    load.copies = engine::SearchSpace::kCopiesOfVectors;
    ASSIGN_OR_RETURN(const auto prepared, context.withProgress([&](const JobContext& job) {
        return embedding::openAndPrepare(load, job);
    }));
    const embedding::Embedding& embedding = prepared->embedding;
    if (!context.general.expectedSha256.empty() &&
        embedding.report.sha256 != context.general.expectedSha256) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "this is not the embedding of the session (the SHA-256 "
                                    "differs); name the embedding to use it anyway",
                                    context.general.load.path, 0});
    }
    const std::string skipped = report::skippedRowsText(embedding.report);
    if (!skipped.empty()) {
        context.console.warning(fmt::format("{}: {}", embedding.name, skipped));
    }
    const std::string outlying = report::outlyingRowsText(*prepared);
    if (!outlying.empty()) {
        context.console.warning(fmt::format("{}: {}", embedding.name, outlying));
    }
    if (embedding.report.limitedTo) {
        context.console.note(fmt::format("{}: limited to the first {} rows", embedding.name,
                                         formatCount(*embedding.report.limitedTo)));
    }
    if (const auto& selection = embedding.report.vocabulary) {
        context.console.note(fmt::format("{}: {} words of the vocabulary kept, {} not in the file",
                                         embedding.name, formatCount(selection->kept),
                                         formatCount(selection->missing)));
    }
    return std::make_shared<const engine::SearchSpace>(prepared);
}

CommandResult rendered(const GeneralOptions& general, const CommandOutput& output, bool isPartial) {
    CommandResult result;
    result.interrupted = isPartial;
    switch (general.format) {
        case OutputFormat::json:
            result.text = document::jsonText(output.data());
            break;
        case OutputFormat::csv:
            result.text = document::csvRows(output.data(), output.rows);
            break;
        case OutputFormat::html:
            result.text = output.html();
            break;
        case OutputFormat::text:
            result.text = output.text();
    }
    return result;
}

std::string similarWords(const embedding::Vocabulary& vocabulary, std::string_view word) {
    std::string similar;
    for (const text::Spelling& spelling : text::nearestSpellings(vocabulary, word)) {
        similar += fmt::format("{}{}", similar.empty() ? "; similar: " : ", ",
                               vocabulary.word(spelling.row));
    }
    return similar;
}

}  // namespace epsilens::cli
