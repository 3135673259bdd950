#include "app/cli/commands/measured_words.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/embedding/word_list.h"
#include "core/engine/word_sample.h"

namespace epsilens::cli {
namespace {

using calibration::WordSelection;
using embedding::Row;
using Kind = WordsOption::Kind;

constexpr std::string_view kAll = "all";
constexpr std::string_view kSparsest = "sparsest:";
constexpr std::string_view kDensest = "densest:";

Error noneKnown(std::int64_t words, std::string file) {
    return {ErrorCode::badFile,
            fmt::format("none of its {} words is in the embedding", formatCount(words)),
            std::move(file), 0};
}

WordSelection listed(std::vector<Row> rows) {
    return {WordSelection::Kind::list, 0, std::move(rows)};
}

/// The words from which --words chooses.
class Eligible {
public:
    Eligible(const embedding::Vocabulary& vocabulary, const std::optional<text::DataSetWords>& data)
        : m_isWhole(!data) {
        if (data) {
            m_rows = data->words();
        } else {
            m_rows.resize(static_cast<std::size_t>(vocabulary.size()));
            std::iota(m_rows.begin(), m_rows.end(), 0);
        }
    }

    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(m_rows.size()); }
    [[nodiscard]] bool isWhole() const { return m_isWhole; }
    [[nodiscard]] bool has(Row row) const {
        return std::binary_search(m_rows.begin(), m_rows.end(), row);
    }

private:
    bool m_isWhole;
    std::vector<Row> m_rows{};  ///< ascending
};

WordSelection allWords(const Eligible& eligible) {
    return eligible.isWhole() ? WordSelection{WordSelection::Kind::all, 0, {}}
                              : listed(eligible.rows());
}

WordSelection randomWords(const Eligible& eligible, std::int64_t count, std::uint64_t seed) {
    return eligible.isWhole() ? WordSelection{WordSelection::Kind::random, count, {}}
                              : listed(engine::sampleWords(eligible.rows(), count, seed));
}

Result<WordSelection> wordsOfList(const std::string& path, const embedding::Vocabulary& vocabulary,
                                  const Eligible& eligible, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto list, embedding::findListedWords(path, vocabulary, context.stop));
    std::vector<Row> rows;
    std::copy_if(list.rows.begin(), list.rows.end(), std::back_inserter(rows),
                 [&eligible](Row row) { return eligible.has(row); });
    const auto known = static_cast<std::int64_t>(list.rows.size());
    const std::int64_t absent = known - static_cast<std::int64_t>(rows.size());
    if (rows.empty()) {
        return tl::unexpected(absent == 0
                                  ? noneKnown(list.words, path)
                                  : Error{ErrorCode::badFile,
                                          fmt::format("none of its {} words occurs in the data set",
                                                      formatCount(list.words)),
                                          path, 0});
    }
    if (known < list.words) {
        context.console.warning(fmt::format("{}: {} of {} words unknown", path,
                                            formatCount(list.words - known),
                                            formatCount(list.words)));
    }
    if (absent > 0) {
        context.console.note(fmt::format("{}: {} of {} words do not occur in the data set", path,
                                         formatCount(absent), formatCount(list.words)));
    }
    return listed(std::move(rows));
}

Result<WordSelection> extremeWords(const WordsOption& option, const engine::SearchSpace& space,
                                   const Eligible& eligible, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto density, computeDensity(space, context));
    const auto choose =
        option.kind == Kind::sparsest ? statistics::sparsestWords : statistics::densestWords;
    return listed(choose(density.profile, option.count, eligible.rows()));
}

Result<WordSelection> resolveWords(const WordsOption& option, const engine::SearchSpace& space,
                                   const std::optional<text::DataSetWords>& data,
                                   const CommandContext& context) {
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    const Eligible eligible(vocabulary, data);
    if (eligible.size() == 0) {
        return tl::unexpected(noneKnown(data->tokens(), data->file));
    }
    const bool counted =
        option.kind != Kind::all && option.kind != Kind::list && option.kind != Kind::rows;
    if (counted && option.isGiven && option.count > eligible.size()) {
        context.console.note(fmt::format(
            "--words: only {} words are available, so all of them are used instead of {}",
            formatCount(eligible.size()), formatCount(option.count)));
    }
    switch (option.kind) {
        case Kind::all:
            return allWords(eligible);
        case Kind::random:
            return randomWords(eligible, option.count, context.general.seed);
        case Kind::rows:
            return listed(option.rows);
        case Kind::list:
            return wordsOfList(option.listPath, vocabulary, eligible, context);
        case Kind::sparsest:
        case Kind::densest:
            break;
    }
    return extremeWords(option, space, eligible, context);
}

/// The value of --words, without folders.
std::string wordsText(const WordsOption& option) {
    switch (option.kind) {
        case Kind::all:
            return std::string(kAll);
        case Kind::list:
            return "@" + std::filesystem::path(option.listPath).filename().string();
        case Kind::sparsest:
            return fmt::format("{}{}", kSparsest, option.count);
        case Kind::densest:
            return fmt::format("{}{}", kDensest, option.count);
        case Kind::random:
        case Kind::rows:
            break;
    }
    return fmt::format("{}", option.count);
}

std::optional<calibration::SelectionDescription> describeSelection(
    const MeasuredWords& measured, const std::optional<text::DataSetWords>& data) {
    const WordsOption& option = measured.words;
    if (!data && (option.kind == Kind::all || option.kind == Kind::random)) {
        return std::nullopt;
    }
    if (option.kind == Kind::rows) {
        return option.rowsFrom;
    }
    calibration::SelectionDescription selection;
    selection.words = wordsText(option);
    if (data) {
        selection.dataFormat = measured.data.records.format;
        selection.letterCase = measured.data.letterCase;
        selection.dataFile = data->file;
        selection.dataColumn = data->column;
        selection.dataRecords = data->records();
    }
    return selection;
}

}  // namespace

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

Result<TimedProfile> computeDensity(const engine::SearchSpace& space,
                                    const CommandContext& context) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto profile, context.withProgress([&](const JobContext& job) {
        return statistics::densityProfile(space, context.general.threads, job);
    }));
    return TimedProfile{
        std::move(profile),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

Result<WordsOption> parseWords(std::string_view typed) {
    WordsOption option;
    option.isGiven = true;
    if (typed == kAll) {
        option.kind = Kind::all;
        return option;
    }
    if (typed.starts_with('@') && typed.size() > 1) {
        option.kind = Kind::list;
        option.listPath = typed.substr(1);
        return option;
    }
    std::string_view digits = typed;
    for (const auto& [prefix, kind] :
         {std::pair{kSparsest, Kind::sparsest}, std::pair{kDensest, Kind::densest}}) {
        if (digits.starts_with(prefix)) {
            digits.remove_prefix(prefix.size());
            option.kind = kind;
        }
    }
    const auto count = parseInteger(digits, "words", 1, std::numeric_limits<std::int32_t>::max());
    if (!count) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("\"{}\" is not valid; use all, a number from 1, @file, sparsest:N "
                                "or densest:N",
                                typed));
    }
    option.count = *count;
    return option;
}

Result<std::optional<calibration::SelectionDescription>> chooseWords(
    const MeasuredWords& measured, const engine::SearchSpace& space, const CommandContext& context,
    WordSelection& chosen) {
    ASSIGN_OR_RETURN(const auto data,
                     readData(measured.data, space.embedding().vocabulary(), context));
    ASSIGN_OR_RETURN(chosen, resolveWords(measured.words, space, data, context));
    return describeSelection(measured, data);
}

}  // namespace epsilens::cli
