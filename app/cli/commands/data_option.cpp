#include "app/cli/commands/data_option.h"

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::cli {

Result<std::optional<text::RecordOptions>> parseData(const DataArguments& arguments) {
    if (arguments.path.empty()) {
        if (!arguments.column.empty() || !arguments.format.empty()) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: there is no --data to use it on",
                                    arguments.column.empty() ? "--data-format" : "--column"));
        }
        return std::nullopt;
    }
    text::RecordOptions options{arguments.path, arguments.column, text::RecordFormat::automatic};
    if (!arguments.format.empty()) {
        const auto format = text::parseRecordFormat(arguments.format);
        if (!format) {
            return fail(format.error().code, "--data-format: " + format.error().message);
        }
        options.format = *format;
    }
    return std::optional(std::move(options));
}

Result<std::optional<text::DataSetWords>> readData(
    const std::optional<text::RecordOptions>& options, const embedding::Vocabulary& vocabulary,
    const CommandContext& context) {
    if (!options) {
        return std::nullopt;
    }
    const text::Lookup lookup(vocabulary, text::CasePolicy::automatic);
    auto words = text::readDataSet(*options, lookup, context.general.threads,
                                   context.console.job(context.stop));
    context.console.finishProgress();
    if (!words) {
        return tl::unexpected(words.error());
    }
    if (words->skippedRecords > 0) {
        context.console.warning(fmt::format("{}: {} records skipped, too short for the column",
                                            words->file, formatCount(words->skippedRecords)));
    }
    context.console.note(fmt::format(
        "{}: {} records with {} words, {} of them unknown; {} words of the vocabulary occur",
        words->file, formatCount(words->records()), formatCount(words->tokens()),
        formatCount(words->unknownTokens()),
        formatCount(static_cast<std::int64_t>(words->words().size()))));
    return std::optional(std::move(*words));
}

}  // namespace epsilens::cli
