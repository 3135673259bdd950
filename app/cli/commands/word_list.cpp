#include "app/cli/commands/word_list.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <limits>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::cli {
namespace {

using calibration::WordSelection;
using embedding::Row;

Error badList(const std::string& path, const std::string& problem) {
    return {ErrorCode::badFile, fmt::format("{}: {}", path, problem), path, 0};
}

Result<std::string> readFile(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad() || errno == EISDIR) {
        return tl::unexpected(
            badList(path, "cannot be read: " + std::generic_category().message(errno)));
    }
    return content;
}

std::vector<std::string_view> linesOf(std::string_view content) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (content.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        content.remove_prefix(kByteOrderMark.size());
    }
    std::vector<std::string_view> lines;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        if (!line.empty()) {
            lines.push_back(line);
        }
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return lines;
}

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
                                   Console& console) {
    WordSelection selection = option.selection;
    if (selection.kind == WordSelection::Kind::random && option.asked &&
        selection.count > words.size()) {
        console.note(fmt::format("--words: all {} words, {} were asked for",
                                 formatCount(words.size()), formatCount(selection.count)));
    }
    if (option.listPath.empty()) {
        return selection;
    }
    const Result<std::string> content = readFile(option.listPath);
    if (!content) {
        return tl::unexpected(content.error());
    }
    const std::vector<std::string_view> lines = linesOf(*content);
    std::int64_t unknown = 0;
    for (const std::string_view line : lines) {
        const std::optional<Row> row = words.find(line);
        unknown += row ? 0 : 1;
        if (row) {
            selection.rows.push_back(*row);
        }
    }
    if (selection.rows.empty()) {
        return tl::unexpected(badList(
            option.listPath, fmt::format("none of its {} words is in the embedding",
                                         formatCount(static_cast<std::int64_t>(lines.size())))));
    }
    std::sort(selection.rows.begin(), selection.rows.end());
    selection.rows.erase(std::unique(selection.rows.begin(), selection.rows.end()),
                         selection.rows.end());
    if (unknown > 0) {
        console.warning(fmt::format("{}: {} of {} words unknown", option.listPath,
                                    formatCount(unknown),
                                    formatCount(static_cast<std::int64_t>(lines.size()))));
    }
    return selection;
}

}  // namespace epsilens::cli
