#include "core/release/table_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::release {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct FormatName {
    std::string_view name;
    TableFormat format;
};
constexpr std::array kFormats{
    FormatName{"auto", TableFormat::automatic}, FormatName{"csv", TableFormat::csv},
    FormatName{"tsv", TableFormat::tsv}, FormatName{"jsonl", TableFormat::jsonLines}};

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Without its line end.
std::string_view contentOf(std::string_view record) {
    if (record.ends_with('\n')) {
        record.remove_suffix(1);
    }
    if (record.ends_with('\r')) {
        record.remove_suffix(1);
    }
    return record;
}

bool isBlank(std::string_view record) {
    return record.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Steps through the text of a JSON object that is known to be sound.
class JsonSteps {
public:
    explicit JsonSteps(std::string_view text) : m_text(text) {}

    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] char next() {
        m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size());
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    void take() { ++m_at; }
    void skipString() {
        for (take(); m_text[m_at] != '"'; take()) {
            m_at += m_text[m_at] == '\\' ? 1 : 0;
        }
        take();
    }
    void skipValue() {
        int depth = 0;
        do {
            const char first = next();
            if (first == '"') {
                skipString();
            } else if (first == '{' || first == '[') {
                ++depth;
                take();
            } else if (first == '}' || first == ']') {
                --depth;
                take();
            } else if (first == ',' || first == ':') {
                take();
            } else {
                m_at = m_text.find_first_of(" \t\r\n,:]}", m_at);
            }
        } while (depth > 0);
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

}  // namespace

Result<TableFormat> parseTableFormat(std::string_view name) {
    const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                    [&](const FormatName& known) { return known.name == name; });
    return found != kFormats.end()
               ? Result<TableFormat>(found->format)
               : fail(ErrorCode::invalidArgument,
                      fmt::format("\"{}\" is not one of auto, csv, tsv and jsonl", name));
}

std::string_view tableFormatName(TableFormat format) {
    return std::find_if(kFormats.begin(), kFormats.end(),
                        [&](const FormatName& known) { return known.format == format; })
        ->name;
}

TableFormat tableFormatOfName(std::string_view fileName) {
    constexpr std::array kEndings{
        FormatName{".csv", TableFormat::csv}, FormatName{".tsv", TableFormat::tsv},
        FormatName{".tab", TableFormat::tsv}, FormatName{".jsonl", TableFormat::jsonLines},
        FormatName{".ndjson", TableFormat::jsonLines}};
    const auto found = std::find_if(kEndings.begin(), kEndings.end(), [&](const FormatName& known) {
        return fileName.ends_with(known.name);
    });
    return found == kEndings.end() ? TableFormat::automatic : found->format;
}

Result<std::string> TableText::add(std::string_view text, const Replace& replace) {
    m_held += text;
    if (m_held.find('\n', m_held.size() - text.size()) != std::string::npos ||
        m_held.size() > kLongestRecord) {
        decideFormat();
    }
    if (m_options.format == TableFormat::automatic) {
        return std::string();
    }
    std::size_t whole = 0;
    for (; m_scanned < m_held.size(); ++m_scanned) {
        const char byte = m_held[m_scanned];
        m_place = placeBehind(byte);
        if (byte == '\n' && m_place != Place::quoted) {
            whole = m_scanned + 1;
        }
    }
    if (m_held.size() - whole > kLongestRecord) {
        return broken(
            fmt::format("a record of more than {} MiB begins here; is a quote not closed?",
                        kLongestRecord >> 20));
    }
    return release(whole, replace);
}

Result<std::string> TableText::finish(const Replace& replace) {
    decideFormat();
    std::for_each(m_held.begin() + static_cast<std::ptrdiff_t>(m_scanned), m_held.end(),
                  [this](char byte) { m_place = placeBehind(byte); });
    if (m_place == Place::quoted) {
        return broken("a quoted field of this record has no end");
    }
    return release(m_held.size(), replace);
}

TableText::Place TableText::placeBehind(char byte) const {
    if (m_options.format != TableFormat::csv) {
        return Place::plain;
    }
    if (m_place == Place::quoted) {
        return byte == '"' ? Place::closed : Place::quoted;
    }
    if (byte == '"' && m_place != Place::plain) {
        return Place::quoted;
    }
    return byte == ',' || byte == '\n' ? Place::fieldStart : Place::plain;
}

void TableText::decideFormat() {
    if (m_options.format != TableFormat::automatic || m_held.empty()) {
        return;
    }
    const std::string_view start =
        std::string_view(m_held).substr(m_held.starts_with(kByteOrderMark) ? 3 : 0);
    if (start.starts_with('{')) {
        m_options.format = TableFormat::jsonLines;
    } else {
        const bool hasTab = start.substr(0, start.find('\n')).find('\t') != std::string_view::npos;
        m_options.format = hasTab ? TableFormat::tsv : TableFormat::csv;
    }
}

/// Releases the records up to `end`, and forgets them.
Result<std::string> TableText::release(std::size_t end, const Replace& replace) {
    Fields fields;
    Ranges chosen;
    for (std::size_t begin = 0; begin < end;) {
        Ranges all;
        ASSIGN_OR_RETURN(const std::size_t recordEnd, endOfRecord(begin, end, all));
        const std::string_view record = std::string_view(m_held).substr(begin, recordEnd - begin);
        if (!isBlank(record)) {
            const bool isHeader = !m_hasColumns && m_options.format != TableFormat::jsonLines &&
                                  !isNumber(m_options.columns.front());
            ASSIGN_OR_RETURN(const Ranges ranges, chosenFields(begin, recordEnd, all));
            for (const Range& range : ranges) {
                fields.texts.push_back(decoded(range));
                fields.records.push_back(m_records);
                chosen.push_back(range);
            }
            m_records += isHeader ? 0 : 1;
        }
        m_line += std::count(record.begin(), record.end(), '\n');
        begin = recordEnd;
    }
    std::vector<std::string> texts;
    if (!fields.texts.empty()) {
        ASSIGN_OR_RETURN(texts, replace(fields));
    }
    std::string released;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        released.append(m_held, copied, chosen[i].begin - copied);
        released += encoded(chosen[i], std::move(texts[i]));
        copied = chosen[i].end;
    }
    released.append(m_held, copied, end - copied);
    m_held.erase(0, end);
    m_scanned -= std::min(end, m_scanned);
    return released;
}

/// Finds the fields of the record that begins at `begin`. JSON Lines has one.
Result<std::size_t> TableText::endOfRecord(std::size_t begin, std::size_t end, Ranges& fields) {
    const bool isCsv = m_options.format == TableFormat::csv;
    const char separator = isCsv ? ',' : '\t';
    for (std::size_t at = begin;;) {
        Range field{at, at, isCsv && at < end && m_held[at] == '"'};
        if (field.isQuoted) {
            do {
                at = m_held.find('"', at + 1) + 1;
            } while (at < end && m_held[at] == '"');
        } else {
            while (at < end && m_held[at] != '\n' &&
                   (m_options.format == TableFormat::jsonLines || m_held[at] != separator)) {
                ++at;
            }
        }
        field.end = at;
        const bool isLast = at == end || m_held[at] == '\n' ||
                            (m_held[at] == '\r' && at + 1 < end && m_held[at + 1] == '\n');
        if (isLast && !field.isQuoted && field.end > field.begin && m_held[at - 1] == '\r') {
            --field.end;
        }
        fields.push_back(field);
        if (isLast) {
            return std::min(end, at + (at < end && m_held[at] == '\r' ? 2 : 1));
        }
        if (m_held[at] != separator) {
            return broken("text stands behind a closing quote");
        }
        ++at;
    }
}

/// The fields of a record that are released; none of the first one if that has the names.
Result<TableText::Ranges> TableText::chosenFields(std::size_t begin, std::size_t end,
                                                  const Ranges& fields) {
    if (m_options.format == TableFormat::jsonLines) {
        const std::string_view line =
            contentOf(std::string_view(m_held).substr(begin, end - begin));
        const std::size_t mark =
            m_line == 1 && line.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
        return chosenMembers(line.substr(mark), begin + mark);
    }
    if (!std::exchange(m_hasColumns, true)) {
        RETURN_IF_ERROR(decideColumns(fields));
        if (!isNumber(m_options.columns.front())) {
            return Ranges{};
        }
    }
    Ranges chosen;
    for (const std::size_t column : m_columns) {
        if (column >= fields.size()) {
            return broken(fmt::format("this record has {} fields, and column {} is to be released",
                                      fields.size(), column + 1));
        }
        chosen.push_back(fields[column]);
    }
    return chosen;
}

Result<void> TableText::decideColumns(const Ranges& fields) {
    const auto numbers =
        std::count_if(m_options.columns.begin(), m_options.columns.end(), isNumber);
    if (numbers > 0 && numbers < static_cast<std::ptrdiff_t>(m_options.columns.size())) {
        return fail(ErrorCode::invalidArgument,
                    "columns: give names, or numbers where the table has no names, not both");
    }
    std::vector<std::string> names;
    for (const Range& field : fields) {
        names.push_back(decoded(field));
    }
    if (names.front().starts_with(kByteOrderMark)) {
        names.front().erase(0, kByteOrderMark.size());
    }
    for (const std::string& column : m_options.columns) {
        if (numbers > 0) {
            ASSIGN_OR_RETURN(
                const auto number,
                parseInteger(column, "column", 1, static_cast<std::int64_t>(fields.size())));
            m_columns.push_back(static_cast<std::size_t>(number - 1));
            continue;
        }
        if (std::count(names.begin(), names.end(), column) != 1) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("the first line must have \"{}\" once; its names are "
                                    "\"{}\"; without names give numbers",
                                    column, fmt::join(names, "\", \"")));
        }
        m_columns.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), column) -
                                                     names.begin()));
    }
    std::sort(m_columns.begin(), m_columns.end());
    m_columns.erase(std::unique(m_columns.begin(), m_columns.end()), m_columns.end());
    return {};
}

/// The members of an object that are released.
///
/// begin  of the line in the text that is held
Result<TableText::Ranges> TableText::chosenMembers(std::string_view line, std::size_t begin) const {
    JsonSteps steps(line);
    if (steps.next() != '{' || !nlohmann::json::accept(line)) {
        return broken("this line is not a JSON object");
    }
    Ranges chosen;
    std::vector<bool> isFound(m_options.columns.size(), false);
    for (steps.take(); steps.next() != '}';) {
        const std::size_t keyBegin = steps.at();
        steps.skipString();
        const auto key =
            nlohmann::json::parse(line.substr(keyBegin, steps.at() - keyBegin)).get<std::string>();
        static_cast<void>(steps.next());
        steps.take();
        const char first = steps.next();
        const std::size_t valueBegin = steps.at();
        steps.skipValue();
        const auto column = std::find(m_options.columns.begin(), m_options.columns.end(), key);
        if (column != m_options.columns.end()) {
            isFound[static_cast<std::size_t>(column - m_options.columns.begin())] = true;
            if (first == '"') {
                chosen.push_back({begin + valueBegin, begin + steps.at(), true});
            } else if (first != 'n') {
                return broken(fmt::format("the member \"{}\" is no text", key));
            }
        }
        if (steps.next() == ',') {
            steps.take();
        }
    }
    if (const auto missing = std::find(isFound.begin(), isFound.end(), false);
        missing != isFound.end()) {
        return broken(
            fmt::format("the member \"{}\" is missing",
                        m_options.columns[static_cast<std::size_t>(missing - isFound.begin())]));
    }
    return chosen;
}

std::string TableText::decoded(const Range& range) const {
    const std::string_view raw =
        std::string_view(m_held).substr(range.begin, range.end - range.begin);
    if (!range.isQuoted) {
        return std::string(raw);
    }
    if (m_options.format == TableFormat::jsonLines) {
        return nlohmann::json::parse(raw).get<std::string>();
    }
    std::string text;
    for (std::size_t at = 1; at + 1 < raw.size(); ++at) {
        text += raw[at];
        at += raw[at] == '"' ? 1 : 0;
    }
    return text;
}

std::string TableText::encoded(const Range& range, std::string text) const {
    if (m_options.format == TableFormat::jsonLines) {
        return nlohmann::json(text).dump();
    }
    if (m_options.format == TableFormat::tsv) {
        std::replace(text.begin(), text.end(), '\t', ' ');
        return text;
    }
    // A quote within a field without quotes stays as it came; a new one must not begin there.
    const std::string_view raw(m_held.data() + range.begin, range.end - range.begin);
    const std::string_view special = raw.find('"') == std::string_view::npos ? ",\"\r\n" : ",\r\n";
    if (!range.isQuoted && text.find_first_of(special) == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + '"';
}

tl::unexpected<Error> TableText::broken(std::string message) const {
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), {}, m_line});
}

}  // namespace epsilens::release
