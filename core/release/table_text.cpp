#include "core/release/table_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/base/numbers.h"

namespace epsilens::release {
namespace {

tl::unexpected<Error> broken(std::string message, std::int64_t line) {
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), {}, line});
}

/// Whether quotes in a text with tabs can only be part of its fields: read as tsvQuoted, the start
/// of the text has a problem, and read as tsv it has none.
bool areQuotesText(std::string_view start) {
    const auto hasProblem = [start](io::RecordFormat format) {
        io::RecordScanner scanner(format, false);
        scanner.add(start);
        if (start.size() < io::kFirstLineBytes) {
            scanner.finish();
        }
        while (true) {
            const auto record = scanner.next();
            if (!record || !*record || (*record)->problem) {
                return !record || *record;
            }
        }
    };
    return hasProblem(io::RecordFormat::tsvQuoted) && !hasProblem(io::RecordFormat::tsv);
}

}  // namespace

TableText::TableText(TableOptions options, std::string_view fileName, bool isFile)
    : m_options(std::move(options)),
      m_format(m_options.format == io::RecordFormat::automatic ? io::formatOfName(fileName)
                                                               : m_options.format),
      m_isFile(isFile && m_options.format == io::RecordFormat::automatic) {
    if (m_format != io::RecordFormat::automatic &&
        !(m_isFile && m_format == io::RecordFormat::tsv)) {
        begin();
    }
}

/// With the format that was typed, or that the start of the text has.
void TableText::begin() {
    if (m_format == io::RecordFormat::automatic) {
        m_format = io::formatOfStart(m_start);
    }
    m_scanner.emplace(
        m_format, m_options.format == io::RecordFormat::automatic &&
                      !(m_isFile && m_format == io::RecordFormat::tsv && areQuotesText(m_start)));
    m_scanner->add(std::exchange(m_start, {}));
}

Result<std::string> TableText::add(std::string_view text, const Replace& replace) {
    if (m_scanner) {
        m_scanner->add(text);
        return release(replace);
    }
    m_start += text;
    const bool hasTabs =
        m_format == io::RecordFormat::tsv || io::formatOfStart(m_start) == io::RecordFormat::tsv;
    const bool isDecided = text.find('\n') != std::string_view::npos && !(m_isFile && hasTabs);
    if (!isDecided && m_start.size() < io::kFirstLineBytes) {
        return std::string();
    }
    begin();
    return release(replace);
}

Result<std::string> TableText::finish(const Replace& replace) {
    if (!m_scanner) {
        begin();
    }
    m_scanner->finish();
    return release(replace);
}

/// Releases all records that are whole.
Result<std::string> TableText::release(const Replace& replace) {
    Fields fields;
    std::vector<Field> chosen;
    while (true) {
        ASSIGN_OR_RETURN(const auto record, m_scanner->next());
        if (!record) {
            break;
        }
        if (record->problem) {
            return tl::unexpected(*record->problem);
        }
        if (m_format == io::RecordFormat::jsonLines &&
            trimmed(m_scanner->bytesOf(record->fields.front())).empty()) {
            continue;
        }
        const bool isHeader = m_columns.empty() && m_format != io::RecordFormat::jsonLines &&
                              !io::isColumnNumber(m_options.columns.front());
        ASSIGN_OR_RETURN(const auto ofRecord, chosenFields(*record));
        for (const Field& field : ofRecord) {
            fields.texts.push_back(decoded(field));
            fields.records.push_back(m_records);
            chosen.push_back(field);
        }
        m_records += isHeader ? 0 : 1;
    }
    std::vector<std::string> texts;
    if (!fields.texts.empty()) {
        ASSIGN_OR_RETURN(texts, replace(fields));
    }
    const std::string_view held = m_scanner->text();
    std::string released;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        released += held.substr(copied, chosen[i].begin - copied);
        released += encoded(chosen[i], std::move(texts[i]));
        copied = chosen[i].end;
    }
    released += held.substr(copied, m_scanner->given() - copied);
    m_scanner->forget();
    return released;
}

/// The fields of a record that are released; none of the first one if that has the names.
Result<std::vector<TableText::Field>> TableText::chosenFields(const Record& record) {
    if (m_format == io::RecordFormat::jsonLines) {
        return chosenMembers(record);
    }
    if (m_columns.empty()) {
        RETURN_IF_ERROR(decideColumns(record.fields));
        if (!io::isColumnNumber(m_options.columns.front())) {
            return std::vector<Field>();
        }
    }
    std::vector<Field> chosen;
    for (const std::size_t column : m_columns) {
        chosen.push_back(record.fields[column]);
    }
    return chosen;
}

Result<void> TableText::decideColumns(std::span<const Field> fields) {
    const auto numbers = std::ranges::count_if(m_options.columns, io::isColumnNumber);
    if (numbers > 0 && numbers < std::ssize(m_options.columns)) {
        return fail(ErrorCode::invalidArgument,
                    "columns: give names, or numbers where the table has no names, not both");
    }
    std::vector<std::string> names;
    for (const Field& field : fields) {
        names.push_back(decoded(field));
    }
    for (const std::string& column : m_options.columns) {
        if (numbers > 0) {
            ASSIGN_OR_RETURN(const auto number,
                             parseInteger(column, "column", 1, std::ssize(fields)));
            m_columns.push_back(static_cast<std::size_t>(number - 1));
            continue;
        }
        if (std::ranges::count(names, column) != 1) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("the first line must have \"{}\" once; number of its columns: "
                                    "{}; without names give numbers",
                                    column, names.size()));
        }
        m_columns.push_back(
            static_cast<std::size_t>(std::ranges::find(names, column) - names.begin()));
    }
    std::ranges::sort(m_columns);
    m_columns.erase(std::unique(m_columns.begin(), m_columns.end()), m_columns.end());
    return {};
}

/// The members of an object that are released.
Result<std::vector<TableText::Field>> TableText::chosenMembers(const Record& record) const {
    const std::string_view line = m_scanner->bytesOf(record.fields.front());
    const auto members = io::membersOf(line);
    if (!members) {
        return broken("this line is not a JSON object", record.line);
    }
    std::vector<Field> chosen;
    std::vector<bool> isFound(m_options.columns.size(), false);
    for (const io::JsonMember& member : *members) {
        const auto column = std::ranges::find(m_options.columns, member.name);
        if (column == m_options.columns.end()) {
            continue;
        }
        isFound[static_cast<std::size_t>(column - m_options.columns.begin())] = true;
        if (member.value.starts_with('"')) {
            const std::size_t begin = record.fields.front().begin +
                                      static_cast<std::size_t>(member.value.data() - line.data());
            chosen.push_back({begin, begin + member.value.size(), true});
        } else if (member.value != "null") {
            return broken(fmt::format("the member \"{}\" is no text", member.name), record.line);
        }
    }
    if (const auto missing = std::ranges::find(isFound, false); missing != isFound.end()) {
        return broken(
            fmt::format("the member \"{}\" is missing",
                        m_options.columns[static_cast<std::size_t>(missing - isFound.begin())]),
            record.line);
    }
    return chosen;
}

std::string TableText::decoded(const Field& field) const {
    return m_format == io::RecordFormat::jsonLines
               ? nlohmann::json::parse(m_scanner->bytesOf(field)).get<std::string>()
               : m_scanner->contentOf(field);
}

std::string TableText::encoded(const Field& field, std::string text) const {
    if (m_format == io::RecordFormat::jsonLines) {
        return nlohmann::json(text).dump();
    }
    if (m_format == io::RecordFormat::tsv) {
        std::ranges::replace(text, '\t', ' ');
        return text;
    }
    const std::string_view special = m_format == io::RecordFormat::csv ? ",\"\r\n" : "\t\"\r\n";
    return field.isQuoted || text.find_first_of(special) != std::string::npos
               ? io::quotedField(text)
               : text;
}

}  // namespace epsilens::release
