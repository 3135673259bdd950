#include "app/cli/general_options.h"

#include <limits>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::cli {
namespace {

constexpr std::int64_t kMostThreads = 1024;

Result<OutputFormat> parseFormat(const std::string& name) {
    if (name == "text") {
        return OutputFormat::text;
    }
    if (name == "json") {
        return OutputFormat::json;
    }
    if (name == "csv") {
        return OutputFormat::csv;
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("--format: \"{}\" is not one of text, json, csv", name));
}

/// Leaves the target unchanged if nothing was typed.
template <typename Integer>
Result<void> readInteger(const std::string& typed, std::string_view option, std::int64_t lowest,
                         std::int64_t highest, Integer& target) {
    if (typed.empty()) {
        return {};
    }
    const Result<std::int64_t> value = parseInteger(typed, option, lowest, highest);
    if (!value) {
        return tl::unexpected(value.error());
    }
    target = static_cast<Integer>(*value);
    return {};
}

}  // namespace

Result<GeneralOptions> parseGeneral(const GeneralArguments& arguments) {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    GeneralOptions options;
    const Result<OutputFormat> format = parseFormat(arguments.format);
    if (!format) {
        return tl::unexpected(format.error());
    }
    ASSIGN_OR_RETURN(const auto inputFormat, embedding::parseInputFormat(arguments.inputFormat));
    const Result<void> numbers =
        readInteger(arguments.threads, "--threads", 0, kMostThreads, options.threads)
            .and_then(
                [&] { return readInteger(arguments.seed, "--seed", 0, kLargest, options.seed); })
            .and_then([&] {
                return readInteger(arguments.limitRows, "--limit-rows", 1, kLargest,
                                   options.load.limitRows);
            });
    if (!numbers) {
        return tl::unexpected(numbers.error());
    }
    options.format = *format;
    options.longWork = arguments.yes;
    options.load.inputFormat = inputFormat;
    options.load.path =
        arguments.embedding.empty() ? std::string(embedding::kSampleName) : arguments.embedding;
    options.load.strict = arguments.strict;
    options.load.vocabularyPath = arguments.vocabularyPath;
    options.load.threads = options.threads;
    options.expectedSha256 = arguments.expectedSha256;
    return options;
}

}  // namespace epsilens::cli
