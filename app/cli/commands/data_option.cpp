#include "app/cli/commands/data_option.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::cli {

Result<std::optional<text::DataSetWords>> readData(const DataOption& data,
                                                   const embedding::Vocabulary& vocabulary,
                                                   const CommandContext& context) {
    if (data.records.path.empty()) {
        return std::nullopt;
    }
    const text::Lookup lookup(vocabulary, data.letterCase);
    ASSIGN_OR_RETURN(auto words, context.withProgress([&](const JobContext& job) {
        return text::readDataSet(data.records, lookup, context.general.threads, job);
    }));
    if (words.skippedRecords > 0) {
        context.console.warning(
            fmt::format("{}: {} records skipped, because they are malformed or have another number "
                        "of fields than the first",
                        words.file, formatCount(words.skippedRecords)));
    }
    context.console.note(fmt::format(
        "{}: {} records with {} words, {} of them unknown; {} words of the vocabulary occur in it",
        words.file, formatCount(words.records()), formatCount(words.tokens()),
        formatCount(words.unknownTokens()),
        formatCount(static_cast<std::int64_t>(words.words().size()))));
    return std::optional(std::move(words));
}

}  // namespace epsilens::cli
