#include "app/cli/commands/guarantee.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/base/trimmed.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"
#include "core/mechanism/guaranteed_setting.h"
#include "core/mechanism/prepared_mechanism.h"
#include "core/metric/word_metric.h"
#include "core/report/guarantee_report.h"
#include "core/text/nearest_spellings.h"
#include "core/text/sentence_pair.h"

namespace epsilens::cli {
namespace {

using embedding::Row;
using mechanism::GuaranteedSetting;

constexpr double kDefaultOdds = 2.0;
constexpr std::size_t kMostSentenceBytes = std::size_t{1} << 20;

using WordPair = std::pair<Row, Row>;

Result<double> parseOdds(const std::string& typed) {
    if (typed.empty()) {
        return kDefaultOdds;
    }
    auto odds = parseNumber(typed, "--odds");
    if (odds && !(*odds > 1.0)) {
        return fail(ErrorCode::invalidArgument, fmt::format("--odds: {} is not above 1", typed));
    }
    return odds;
}

Result<Row> findWord(const text::Lookup& lookup, std::string_view word) {
    if (const auto row = lookup.find(word)) {
        return *row;
    }
    std::string similar;
    for (const text::Spelling& spelling : text::nearestSpellings(lookup.vocabulary(), word)) {
        similar += fmt::format("{}{}", similar.empty() ? "; similar: " : ", ",
                               lookup.vocabulary().word(spelling.row));
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("--pair: \"{}\" is not in the vocabulary{}", word, similar));
}

Result<WordPair> parsePair(const std::string& typed, const text::Lookup& lookup) {
    const auto comma = typed.find(',');
    const std::string_view first = trimmed(std::string_view(typed).substr(0, comma));
    const std::string_view second = comma == std::string::npos
                                        ? std::string_view()
                                        : trimmed(std::string_view(typed).substr(comma + 1));
    if (first.empty() || second.empty() || second.find(',') != std::string_view::npos) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("--pair: \"{}\" is not two words with a comma between them", typed));
    }
    ASSIGN_OR_RETURN(const auto one, findWord(lookup, first));
    return findWord(lookup, second).map([&](Row other) { return WordPair(one, other); });
}

Result<std::vector<WordPair>> parsePairs(const std::vector<std::string>& typed,
                                         const text::Lookup& lookup) {
    std::vector<WordPair> pairs;
    for (const std::string& text : typed) {
        ASSIGN_OR_RETURN(const auto pair, parsePair(text, lookup));
        pairs.push_back(pair);
    }
    return pairs;
}

Result<std::string> readText(const std::string& path, const std::stop_token& stop) {
    auto content =
        io::ByteSource::open(path, stop).and_then([](auto&& source) -> Result<std::string> {
            return source->peek(kMostSentenceBytes + 1).map([](std::string_view bytes) {
                return std::string(bytes);
            });
        });
    if (!content) {
        Error error = content.error();
        error.file = path;
        return tl::unexpected(std::move(error));
    }
    if (content->size() > kMostSentenceBytes) {
        return tl::unexpected(Error{ErrorCode::resourceLimit,
                                    fmt::format("the text is longer than {} bytes, the most that "
                                                "guarantee takes",
                                                formatCount(kMostSentenceBytes)),
                                    path, 0});
    }
    return io::decodeText(*content).map_error(
        [&](const Error& error) { return inFile(error, path); });
}

Result<std::optional<text::SentencePair>> readSentences(const std::vector<std::string>& paths,
                                                        const text::Lookup& lookup,
                                                        const std::stop_token& stop) {
    if (paths.empty()) {
        return std::nullopt;
    }
    ASSIGN_OR_RETURN(auto first, readText(paths.front(), stop));
    ASSIGN_OR_RETURN(auto second, readText(paths.back(), stop));
    const auto pair = text::pairSentences(text::tokeniseText(std::move(first), lookup),
                                          text::tokeniseText(std::move(second), lookup));
    if (!pair) {
        return fail(pair.error().code, "--sentences: " + pair.error().message);
    }
    return std::optional(*pair);
}

/// Every setting of the command line: lambda by lambda, radius by radius.
Result<std::vector<GuaranteedSetting>> settingsOf(const engine::SearchSpace& space,
                                                  const mechanism::Grid& grid,
                                                  const GeneralOptions& general) {
    if (const auto problem =
            calibration::validate(calibrationOptions(grid, general), space.embedding())) {
        return tl::unexpected(*problem);
    }
    std::vector<GuaranteedSetting> settings;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(const auto prepared,
                         mechanism::PreparedMechanism::create(space.handle(), mechanism));
        for (const double epsilon : grid.epsilons) {
            ASSIGN_OR_RETURN(auto guarantee, prepared.guarantee(epsilon));
            settings.push_back(
                mechanism::guaranteedSetting(std::move(guarantee), prepared.metric()));
        }
    }
    return settings;
}

std::string render(OutputFormat format, const report::GuaranteeReport& report,
                   const embedding::Vocabulary& vocabulary) {
    switch (format) {
        case OutputFormat::json:
            return report::guaranteeJson(report, vocabulary);
        case OutputFormat::csv:
            return report::guaranteeCsv(report, vocabulary);
        case OutputFormat::text:
            break;
    }
    return report::guaranteeText(report, vocabulary);
}

}  // namespace

Result<CommandResult> runGuarantee(const GuaranteeArguments& arguments,
                                   const CommandContext& context) {
    ASSIGN_OR_RETURN(auto grid, parseMechanism(arguments.mechanism));
    ASSIGN_OR_RETURN(const auto odds, parseOdds(arguments.odds));
    if (grid.lambdas.empty()) {
        grid.lambdas = {mechanism::kDefaultLambda};
    }
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
    const text::Lookup lookup(vocabulary, text::CasePolicy::automatic);
    ASSIGN_OR_RETURN(const auto pairs, parsePairs(arguments.pairs, lookup));
    ASSIGN_OR_RETURN(const auto sentences,
                     readSentences(arguments.sentences, lookup, context.stop));
    RETURN_IF_ERROR(chooseEpsilon(*space, grid, context));
    ASSIGN_OR_RETURN(const auto settings, settingsOf(*space, grid, context.general));
    report::GuaranteeReport report;
    report.provenance = calibration::provenanceOf(space->embedding());
    report.mechanism = grid.mechanism;
    report.odds = odds;
    report.sentences = sentences;
    for (const GuaranteedSetting& setting : settings) {
        ASSIGN_OR_RETURN(auto entry,
                         report::describeGuarantee(setting, space->embedding().vectors(), pairs,
                                                   sentences, odds));
        report.entries.push_back(std::move(entry));
    }
    return CommandResult{render(context.general.format, report, vocabulary)};
}

}  // namespace epsilens::cli
