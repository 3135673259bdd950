#include "core/corpus/column_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/text/letter_case.h"

namespace epsilens::corpus {
namespace {

using Records = std::span<const std::vector<std::string>>;
using Names = std::span<const std::string_view>;

// Names of columns in public data sets, in lower case; earlier ones win.
constexpr std::array<std::string_view, 14> kTextNames{
    "text",    "message",  "tweet", "sentence", "review", "content", "document",
    "comment", "question", "body",  "sms",      "email",  "post",    "utterance"};
constexpr std::array<std::string_view, 11> kLabelNames{
    "label",    "labels", "class", "target", "category", "sentiment",
    "polarity", "topic",  "spam",  "rating", "intent"};
constexpr std::array<std::string_view, 7> kAuthorNames{"author",  "user",      "writer", "username",
                                                       "user_id", "author_id", "speaker"};
constexpr std::array<std::string_view, 4> kSplitNames{"split", "part", "subset", "fold"};

bool isNumber(const std::string& column) {
    return !column.empty() && std::ranges::all_of(column, isAsciiDigit);
}

/// Chooses one column after the other; a column serves once.
class Chooser {
public:
    Chooser(Records records, const DataSetOptions& options)
        : m_records(records), m_options(options) {}

    Result<ColumnChoice> choose(bool isHeader) {
        m_choice.hasHeader = isHeader || anyNamedByWord() || findName(kTextNames).has_value();
        if (!m_choice.hasHeader) {
            m_choice.isHeaderGuessed = true;
            m_choice.hasHeader = looksLikeHeader();
        }
        ASSIGN_OR_RETURN(m_choice.label, chosen(m_options.labelColumn, kLabelNames));
        ASSIGN_OR_RETURN(m_choice.author, chosen(m_options.authorColumn, kAuthorNames));
        ASSIGN_OR_RETURN(m_choice.split, chosen(m_options.splitColumn, kSplitNames));
        if (m_choice.split && m_choice.split->isGuessed && !namesParts(*m_choice.split)) {
            m_used.erase(m_choice.split->place);
            m_choice.split.reset();
        }
        ASSIGN_OR_RETURN(auto text, chosen(m_options.textColumn, kTextNames));
        if (!text) {
            text = longestColumn();
        }
        if (!text) {
            return fail(
                ErrorCode::invalidArgument,
                fmt::format(
                    "the data set has no column left for the text; number of its columns: {}",
                    formatCount(static_cast<std::int64_t>(columns()))));
        }
        m_choice.text = *text;
        m_used.insert(text->place);
        if (!m_choice.label && !m_choice.author) {
            m_choice.label = columnOfFewest();
            if (!m_choice.label) {
                m_choice.noLabels = whyNoLabels();
            }
        }
        return m_choice;
    }

private:
    [[nodiscard]] std::size_t columns() const { return m_records.front().size(); }

    [[nodiscard]] bool anyNamedByWord() const {
        const auto isWord = [](const std::string& name) {
            return !name.empty() && !isNumber(name);
        };
        return isWord(m_options.textColumn) || isWord(m_options.labelColumn) ||
               isWord(m_options.authorColumn) || isWord(m_options.splitColumn);
    }

    /// The different fields of a column and how often each occurs.
    ///
    /// first  record
    [[nodiscard]] std::map<std::string_view, std::size_t> countsOf(std::size_t place,
                                                                   std::size_t first) const {
        std::map<std::string_view, std::size_t> counts;
        for (const auto& record : m_records.subspan(first)) {
            if (place < record.size()) {
                ++counts[record[place]];
            }
        }
        return counts;
    }
    /// The same below the header.
    [[nodiscard]] std::map<std::string_view, std::size_t> countsOf(std::size_t place) const {
        return countsOf(place, m_choice.hasHeader ? 1 : 0);
    }

    /// A first record whose fields are short names while one column holds labels below it that all
    /// come again, and not the one in the first record.
    [[nodiscard]] bool looksLikeHeader() const {
        constexpr std::size_t kFewestRecords = 5;
        const auto& first = m_records.front();
        if (m_records.size() < kFewestRecords || first.size() < 2 ||
            !std::ranges::all_of(first, looksLikeName)) {
            return false;
        }
        for (std::size_t place = 0; place < first.size(); ++place) {
            const auto counts = countsOf(place, 1);
            if (!counts.empty() && 2 * counts.size() < m_records.size() &&
                std::ranges::all_of(counts, [](const auto& value) { return value.second > 1; }) &&
                !counts.contains(first[place])) {
                return true;
            }
        }
        return false;
    }

    /// One to three words that do not begin with a digit.
    [[nodiscard]] static bool looksLikeName(const std::string& field) {
        constexpr std::size_t kLongest = 40;
        constexpr std::ptrdiff_t kMostBlanks = 2;
        return !field.empty() && field.size() <= kLongest && !isAsciiDigit(field.front()) &&
               std::ranges::count(field, ' ') <= kMostBlanks;
    }

    /// Whether more than half of the fields name a part.
    [[nodiscard]] bool namesParts(const Column& column) const {
        std::size_t fields = 0;
        std::size_t parts = 0;
        for (const auto& [field, count] : countsOf(column.place)) {
            fields += count;
            parts += splitOf(std::string(field)) ? count : 0;
        }
        return 2 * parts > fields;
    }

    [[nodiscard]] std::string whyNoLabels() const {
        constexpr std::size_t kEnoughDocuments = 4;
        for (std::size_t place = 0; place < columns(); ++place) {
            const auto counts = countsOf(place);
            if (!m_used.contains(place) && counts.size() == 1) {
                return fmt::format(
                    "column {} of the data set holds one class only, {}; a "
                    "classifier needs two",
                    placed(place, true).name, counts.begin()->first);
            }
        }
        const std::size_t documents = m_records.size() - (m_choice.hasHeader ? 1 : 0);
        return documents < kEnoughDocuments
                   ? fmt::format(
                         "{} documents are too few to tell which column holds the labels; "
                         "name it with --label-column",
                         documents)
                   : std::string();
    }

    [[nodiscard]] std::optional<std::size_t> findName(Names usual) const {
        for (const std::string_view name : usual) {
            for (std::size_t place = 0; place < columns(); ++place) {
                if (!m_used.contains(place) && text::toLower(m_records.front()[place]) == name) {
                    return place;
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Column placed(std::size_t place, bool isGuessed) const {
        return {m_choice.hasHeader ? m_records.front()[place] : std::to_string(place + 1),
                isGuessed, false, place};
    }

    /// The column that was asked for, or one with a usual name.
    Result<std::optional<Column>> chosen(const std::string& asked, Names usual) {
        std::optional<Column> column;
        if (!asked.empty()) {
            ASSIGN_OR_RETURN(const auto place, placeOf(asked));
            column = placed(place, false);
        } else if (m_choice.hasHeader) {
            if (const auto place = findName(usual)) {
                column = placed(*place, true);
            }
        }
        if (column) {
            m_used.insert(column->place);
        }
        return column;
    }

    [[nodiscard]] Result<std::size_t> placeOf(const std::string& asked) const {
        const auto& first = m_records.front();
        const auto found = std::ranges::find(first, asked);
        if (m_choice.hasHeader && found != first.end()) {
            return static_cast<std::size_t>(found - first.begin());
        }
        if (isNumber(asked)) {
            return parseInteger(asked, "column", 1, static_cast<std::int64_t>(columns()))
                .map([](std::int64_t number) { return static_cast<std::size_t>(number - 1); });
        }
        return fail(ErrorCode::invalidArgument,
                    fmt::format("column \"{}\" is not in the data set; number of columns in its "
                                "first line: {}",
                                asked, formatCount(static_cast<std::int64_t>(columns()))));
    }

    [[nodiscard]] std::optional<Column> longestColumn() const {
        std::optional<Column> longest;
        std::size_t most = 0;
        for (std::size_t place = 0; place < columns(); ++place) {
            std::size_t bytes = 1;
            for (const auto& [field, count] : countsOf(place)) {
                bytes += field.size() * count;
            }
            if (!m_used.contains(place) && bytes > most) {
                most = bytes;
                longest = placed(place, true);
            }
        }
        return longest;
    }

    /// The column with the fewest different fields: at least two, at most half of the records.
    [[nodiscard]] std::optional<Column> columnOfFewest() const {
        std::optional<Column> chosen;
        // Rounded up, so that two labels of three records are still found.
        std::size_t fewest = (m_records.size() + 1) / 2;
        for (std::size_t place = 0; place < columns(); ++place) {
            const std::size_t different = countsOf(place).size();
            if (!m_used.contains(place) && different >= 2 && different <= fewest) {
                fewest = different - 1;
                chosen = placed(place, true);
                chosen->isByContent = true;
            }
        }
        return chosen;
    }

    Records m_records;
    const DataSetOptions& m_options;
    ColumnChoice m_choice{};
    std::set<std::size_t> m_used{};
};

}  // namespace

std::optional<Split> splitOf(std::string field) {
    field = text::toLower(field);
    if (field.starts_with("train")) {
        return Split::training;
    }
    if (field.starts_with("test")) {
        return Split::test;
    }
    return field.starts_with("dev") || field.starts_with("val") || field == "unsup"
               ? std::optional(Split::none)
               : std::nullopt;
}

Result<ColumnChoice> chooseColumns(Records records, bool isHeader, const DataSetOptions& options) {
    return Chooser(records, options).choose(isHeader);
}

std::string columnsText(const ColumnChoice& columns) {
    std::string text;
    for (const auto& [name, placed] :
         {std::pair("text", std::optional(columns.text)), std::pair("; label", columns.label),
          std::pair("; author", columns.author), std::pair("; split", columns.split)}) {
        if (placed) {
            text += fmt::format("{}: column {}{}", name, placed->name,
                                placed->isGuessed ? " (guessed)" : "");
        }
    }
    if (columns.isHeaderGuessed) {
        text += columns.hasHeader ? "; line 1: names of the columns (guessed)"
                                  : "; line 1: a document (guessed)";
    }
    return text;
}

}  // namespace epsilens::corpus
