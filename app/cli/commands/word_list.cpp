#include "app/cli/commands/word_list.h"

#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/embedding/word_list.h"

namespace epsilens::cli {
namespace {

using calibration::WordSelection;
using embedding::Row;

}  // namespace

Result<WordsOption> parseWords(const std::string& typed) {
    WordsOption option;
    if (typed.empty()) {
        return option;
    }
    option.asked = true;
    if (typed == "all") {
        option.selection.kind = WordSelection::Kind::all;
        return option;
    }
    if (typed.front() == '@' && typed.size() > 1) {
        option.selection.kind = WordSelection::Kind::list;
        option.listPath = typed.substr(1);
        return option;
    }
    const bool extremes = typed.rfind("sparsest:", 0) == 0 || typed.rfind("densest:", 0) == 0;
    const auto count = parseInteger(typed, "--words", 1, std::numeric_limits<std::int32_t>::max());
    if (extremes || !count) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("--words: \"{}\" {}; use all, a number from 1 or @file", typed,
                                extremes ? "is not available in this version" : "is not known"));
    }
    option.selection.count = *count;
    return option;
}

Result<WordSelection> resolveWords(const WordsOption& option, const embedding::Vocabulary& words,
                                   Console& console, std::stop_token stop) {
    WordSelection selection = option.selection;
    if (selection.kind == WordSelection::Kind::random && option.asked &&
        selection.count > words.size()) {
        console.note(fmt::format("--words: all {} words, {} were asked for",
                                 formatCount(words.size()), formatCount(selection.count)));
    }
    if (option.listPath.empty()) {
        return selection;
    }
    const auto list = embedding::readWordList(option.listPath, std::move(stop));
    if (!list) {
        return tl::unexpected(list.error());
    }
    for (Row line = 0; line < static_cast<Row>(list->size()); ++line) {
        if (const std::optional<Row> row = words.find(list->word(line))) {
            selection.rows.push_back(*row);
        }
    }
    if (selection.rows.empty()) {
        return tl::unexpected(Error{
            ErrorCode::badFile,
            fmt::format("none of its {} words is in the embedding", formatCount(list->size())),
            option.listPath, 0});
    }
    const std::int64_t unknown = list->size() - static_cast<std::int64_t>(selection.rows.size());
    if (unknown > 0) {
        console.warning(fmt::format("{}: {} of {} words unknown", option.listPath,
                                    formatCount(unknown), formatCount(list->size())));
    }
    return selection;
}

}  // namespace epsilens::cli
