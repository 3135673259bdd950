#include "app/cli/commands/data_option.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::cli {

Result<std::optional<DataOption>> parseData(const DataArguments& arguments) {
    if (arguments.path.empty()) {
        for (const auto& [option, isGiven] :
             {std::pair("--column", !arguments.column.empty()),
              std::pair("--data-format", !arguments.format.empty()),
              std::pair("--case", arguments.letterCase.has_value())}) {
            if (isGiven) {
                return fail(ErrorCode::invalidArgument, fmt::format("{}: needs --data", option));
            }
        }
        return std::nullopt;
    }
    DataOption data;
    data.records.path = arguments.path;
    data.records.column = arguments.column;
    if (!arguments.format.empty()) {
        const auto format = io::parseRecordFormat(arguments.format);
        if (!format) {
            return fail(format.error().code, "--data-format: " + format.error().message);
        }
        data.records.format = *format;
    }
    const auto letterCase = text::parseCasePolicy(arguments.letterCase.value_or("auto"));
    if (!letterCase) {
        return fail(letterCase.error().code, "--case: " + letterCase.error().message);
    }
    data.letterCase = *letterCase;
    return std::optional(std::move(data));
}

Result<std::optional<text::DataSetWords>> readData(const std::optional<DataOption>& data,
                                                   const embedding::Vocabulary& vocabulary,
                                                   const CommandContext& context) {
    if (!data) {
        return std::nullopt;
    }
    const text::Lookup lookup(vocabulary, data->letterCase);
    auto words = text::readDataSet(data->records, lookup, context.general.threads,
                                   context.console.job(context.stop));
    context.console.finishProgress();
    if (!words) {
        return tl::unexpected(words.error());
    }
    if (words->skippedRecords > 0) {
        context.console.warning(
            fmt::format("{}: {} records skipped, because they end before the column", words->file,
                        formatCount(words->skippedRecords)));
    }
    context.console.note(fmt::format(
        "{}: {} records with {} words, {} of them unknown; {} words of the vocabulary occur in it",
        words->file, formatCount(words->records()), formatCount(words->tokens()),
        formatCount(words->unknownTokens()),
        formatCount(static_cast<std::int64_t>(words->words().size()))));
    return std::optional(std::move(*words));
}

}  // namespace epsilens::cli
