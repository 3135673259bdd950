#include "core/io/record_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/base/numbers.h"

namespace epsilens::io {
namespace {

constexpr EnumNames<RecordFormat, 6> kNames{{{"auto", RecordFormat::automatic},
                                             {"lines", RecordFormat::lines},
                                             {"tsv", RecordFormat::tsv},
                                             {"tsv-quoted", RecordFormat::tsvQuoted},
                                             {"csv", RecordFormat::csv},
                                             {"jsonl", RecordFormat::jsonLines}}};
constexpr EnumNames<RecordFormat, 5> kEndings{{{".csv", RecordFormat::csv},
                                               {".tsv", RecordFormat::tsv},
                                               {".tab", RecordFormat::tsv},
                                               {".jsonl", RecordFormat::jsonLines},
                                               {".ndjson", RecordFormat::jsonLines}}};

constexpr std::string_view kQuotedTsv =
    "--data-format tsv-quoted reads files whose fields are quoted";

std::string fieldsText(std::size_t count) {
    return fmt::format("{} {}", formatCount(count), count == 1 ? "field" : "fields");
}

tl::unexpected<Error> broken(std::string message, std::int64_t line) {
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), {}, line});
}

}  // namespace

Result<RecordFormat> parseRecordFormat(std::string_view name) {
    return valueIn(kNames, name);
}

std::string_view recordFormatName(RecordFormat format) {
    return nameIn(kNames, format);
}

RecordFormat formatOfName(std::string_view fileName) {
    std::string name(fileName);
    std::ranges::transform(name, name.begin(), asciiLower);
    for (const std::string_view packed : {".gz", ".xz", ".bz2", ".zst", ".zip"}) {
        if (name.ends_with(packed)) {
            name.erase(name.size() - packed.size());
            break;
        }
    }
    const auto found = std::ranges::find_if(
        kEndings, [&](const auto& ending) { return name.ends_with(ending.first); });
    return found == kEndings.end() ? RecordFormat::automatic : found->second;
}

RecordFormat formatOfStart(std::string_view start) {
    if (start.starts_with(kByteOrderMark)) {
        start.remove_prefix(kByteOrderMark.size());
    }
    if (start.starts_with('{')) {
        return RecordFormat::jsonLines;
    }
    return start.substr(0, start.find('\n')).find('\t') != std::string_view::npos
               ? RecordFormat::tsv
               : RecordFormat::csv;
}

bool isColumnNumber(std::string_view column) {
    return !column.empty() && std::ranges::all_of(column, isAsciiDigit);
}

Result<std::size_t> columnIn(std::span<const std::string> first, std::string_view column,
                             bool hasNames) {
    const auto found = std::ranges::find(first, column);
    if (hasNames && found != first.end()) {
        return static_cast<std::size_t>(found - first.begin());
    }
    const auto columns = std::ssize(first);
    if (isColumnNumber(column)) {
        return parseInteger(column, "column", 1, columns).map([](std::int64_t number) {
            return static_cast<std::size_t>(number - 1);
        });
    }
    return refuse(
        fmt::format("column \"{}\" is not in the data set; number of columns in its first "
                    "line: {}",
                    column, formatCount(columns)));
}

RecordScanner::RecordScanner(RecordFormat format, bool isGuessed)
    : m_format(format),
      m_isGuessed(isGuessed),
      m_hasColumns(format != RecordFormat::lines && format != RecordFormat::jsonLines),
      m_hasQuotes(format == RecordFormat::csv || format == RecordFormat::tsvQuoted),
      m_separator(format == RecordFormat::csv ? ','
                  : m_hasColumns              ? '\t'
                                              : '\n') {}

void RecordScanner::forget() {
    m_text.erase(0, m_begin);
    m_at -= m_begin;
    m_fieldBegin -= m_begin;
    for (Field& field : m_fields) {
        field.begin -= m_begin;
        field.end -= m_begin;
    }
    m_begin = 0;
}

Result<std::optional<RecordScanner::Record>> RecordScanner::next() {
    const bool mayBecomeMark =
        m_text.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(m_text);
    if (!m_isBegun && (m_isFinished || !mayBecomeMark)) {
        m_isBegun = true;
        m_begin = m_at = m_fieldBegin =
            m_text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    }
    if (m_begin == m_at) {
        m_fields.clear();
    }
    while (m_at < m_text.size() && m_isBegun) {
        const bool isEnd = take(m_text[m_at++]);
        if (!isEnd) {
            continue;
        }
        RETURN_IF_ERROR(checkLength());
        if (auto record = endRecord()) {
            return record;
        }
    }
    RETURN_IF_ERROR(checkLength());
    if (!m_isFinished || m_begin == m_text.size()) {
        return std::nullopt;
    }
    if (m_place == Place::quoted) {
        return broken("the quoted field that begins here has no end", m_quoteLine);
    }
    endField(m_place == Place::carriageReturn ? m_at - 1 : m_at);
    return endRecord();
}

/// Returns true behind the last byte of a record; the byte is the one before m_at.
bool RecordScanner::take(char byte) {
    const std::int64_t line = m_line;
    m_line += byte == '\n' ? 1 : 0;
    if (m_place == Place::quoted) {
        m_place = byte == '"' ? Place::closed : Place::quoted;
        return false;
    }
    if (byte == '\n') {
        endField(m_at - (m_place == Place::carriageReturn ? 2 : 1));
        return true;
    }
    if (m_problem) {
        return false;
    }
    if (m_place == Place::carriageReturn && m_hasColumns) {
        doubt("a carriage return without a line feed ends no line", line);
    } else if (byte == m_separator) {
        endField(m_at - 1);
    } else if (byte == '\r') {
        m_place = Place::carriageReturn;
    } else if (byte == '"' && m_hasQuotes && m_place != Place::plain) {
        m_quoteLine = m_place == Place::fieldStart ? line : m_quoteLine;
        m_place = Place::quoted;
    } else if (byte == '"' && m_hasQuotes) {
        doubt("a quote stands within a field that does not begin with one", line);
    } else if (m_place == Place::closed) {
        doubt("text stands behind a closing quote", line);
    } else {
        m_place = Place::plain;
    }
    return false;
}

/// The next field begins at m_at.
void RecordScanner::endField(std::size_t end) {
    const std::string_view raw = std::string_view(m_text).substr(m_fieldBegin, end - m_fieldBegin);
    const bool startsWithQuote = raw.starts_with('"');
    if (m_isGuessed && m_format == RecordFormat::tsv && startsWithQuote &&
        std::ranges::count(raw, '"') % 2 == 1) {
        doubt(fmt::format("a field begins with a quote and has an odd number of quotes; {}, and "
                          "--data-format tsv those in which quotes are part of the text",
                          kQuotedTsv),
              m_recordLine);
    }
    m_longestField = std::max(m_longestField, raw.size());
    m_fields.push_back({m_fieldBegin, end, m_hasQuotes && startsWithQuote});
    m_fieldBegin = m_at;
    m_place = Place::fieldStart;
}

/// Begins the next record; nothing where the line was empty.
std::optional<RecordScanner::Record> RecordScanner::endRecord() {
    m_begin = m_at;
    m_longestField = 0;
    Record record{m_fields, std::exchange(m_recordLine, m_line),
                  std::exchange(m_problem, std::nullopt)};
    if (!record.problem && m_fields.size() == 1 && m_fields[0].begin == m_fields[0].end) {
        m_fields.clear();
        return std::nullopt;
    }
    m_width = m_width == 0 ? m_fields.size() : m_width;
    if (!record.problem && m_hasColumns && m_fields.size() != m_width) {
        std::string message = fmt::format("this record has {}, and the first one has {}",
                                          fieldsText(m_fields.size()), formatCount(m_width));
        if (m_format == RecordFormat::tsv) {
            message += fmt::format("; {}", kQuotedTsv);
        }
        record.problem = Error{ErrorCode::badFile, std::move(message), {}, record.line};
    }
    return record;
}

/// Keeps the first problem of a record.
void RecordScanner::doubt(std::string message, std::int64_t line) {
    if (!m_problem) {
        m_problem = Error{ErrorCode::badFile, std::move(message), {}, line};
    }
}

/// Of the record that has just ended or is not whole yet.
Result<void> RecordScanner::checkLength() const {
    const std::size_t longest = std::max(m_longestField, m_at - m_fieldBegin);
    const std::string_view cause = m_place == Place::quoted ? "; is a quote not closed?" : "";
    if (longest > kLongestField) {
        return broken(fmt::format("a field of more than {} MiB is in the record that begins here{}",
                                  kLongestField >> 20, cause),
                      m_recordLine);
    }
    if (m_at - m_begin > kLongestRecord) {
        return broken(fmt::format("a record of more than {} MiB begins here", kLongestRecord >> 20),
                      m_recordLine);
    }
    return {};
}

std::string RecordScanner::contentOf(const Field& field) const {
    const std::string_view raw = bytesOf(field);
    if (!field.isQuoted) {
        return std::string(raw);
    }
    std::string content;
    for (std::size_t at = 1; at + 1 < raw.size(); ++at) {
        content += raw[at];
        at += raw[at] == '"' ? 1 : 0;
    }
    return content;
}

std::optional<std::vector<JsonMember>> membersOf(std::string_view text) {
    if (!trimmed(text).starts_with('{') || !nlohmann::json::accept(text)) {
        return std::nullopt;
    }
    // The text is sound: depth and strings tell where names and values end.
    std::vector<JsonMember> members;
    std::size_t begin = 0;
    int depth = 0;
    bool isString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char byte = text[at];
        const auto part = [&] { return trimmed(text.substr(begin, at - begin)); };
        if (isString) {
            at += byte == '\\' ? 1 : 0;
            isString = byte != '"';
        } else if (byte == '"') {
            isString = true;
        } else if (byte == '{' || byte == '[') {
            begin = ++depth == 1 ? at + 1 : begin;
        } else if (byte == ':' && depth == 1) {
            members.push_back({nlohmann::json::parse(part()).get<std::string>(), {}});
            begin = at + 1;
        } else if ((byte == ',' || byte == '}') && depth == 1 && !members.empty()) {
            members.back().value = part();
            begin = at + 1;
        }
        depth -= !isString && (byte == '}' || byte == ']') ? 1 : 0;
    }
    return members;
}

RecordReader::RecordReader(std::unique_ptr<io::ByteSource> source, TextDecoder decoder,
                           RecordFormat format, bool isGuessed)
    : m_source(std::move(source)),
      m_decoder(std::move(decoder)),
      m_format(format),
      m_scanner(format, isGuessed),
      m_buffer(TextDecoder::kFirstBytes) {}

Result<RecordReader> RecordReader::create(const RecordOptions& options, bool hasColumns,
                                          std::stop_token stop) {
    ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::create());
    ASSIGN_OR_RETURN(auto source, ByteSource::open(options.path, std::move(stop)));
    const bool isGuessed = options.format == RecordFormat::automatic;
    RecordFormat format = isGuessed ? formatOfName(options.path) : options.format;
    if (format == RecordFormat::automatic && hasColumns) {
        ASSIGN_OR_RETURN(const auto start, source->peek(kFirstLineBytes));
        format = formatOfStart(start);
    } else if (format == RecordFormat::automatic) {
        format = RecordFormat::lines;
    }
    return RecordReader(std::move(source), std::move(decoder), format, isGuessed);
}

Result<RecordReader> RecordReader::open(const RecordOptions& options, std::stop_token stop) {
    return create(options, !options.column.empty(), std::move(stop))
        .and_then([&](RecordReader reader) -> Result<RecordReader> {
            RETURN_IF_ERROR(reader.decideColumn(options.column));
            return reader;
        })
        .map_error(inFile(options.path));
}

Result<RecordReader> RecordReader::openFields(const RecordOptions& options, std::stop_token stop) {
    return create(options, true, std::move(stop)).map_error(inFile(options.path));
}

Result<void> RecordReader::decideColumn(const std::string& column) {
    if (m_format == RecordFormat::lines) {
        return column.empty()
                   ? Result<void>()
                   : refuse(fmt::format("column {}: a data set with a record a line has no columns",
                                        column));
    }
    ASSIGN_OR_RETURN(const auto first, nextFields());
    if (!first) {
        return {};
    }
    if (m_format != RecordFormat::jsonLines && (column.empty() || isColumnNumber(column))) {
        m_next = m_fields;
    }
    if (column.empty()) {
        return first->size() == 1
                   ? Result<void>()
                   : refuse(
                         fmt::format("the data set has {} columns; choose one by its name in the "
                                     "first line, or by its number",
                                     formatCount(first->size())));
    }
    ASSIGN_OR_RETURN(m_column, columnIn(*first, column, !isColumnNumber(column)));
    return {};
}

Result<bool> RecordReader::next(std::string& text) {
    while (true) {
        ASSIGN_OR_RETURN(const auto fields, nextFields());
        if (!fields) {
            return false;
        }
        if (m_column < fields->size()) {
            text = (*fields)[m_column];
            return true;
        }
        ++m_skipped;
    }
}

/// The next record of the scanner; nothing at the end.
Result<std::optional<RecordScanner::Record>> RecordReader::scan() {
    while (true) {
        auto record = m_scanner.next();
        if (!record || *record || m_isEnd) {
            return record;
        }
        ASSIGN_OR_RETURN(const std::size_t got, m_source->read(m_buffer.data(), m_buffer.size()));
        m_isEnd = got < m_buffer.size();
        std::string text;
        RETURN_IF_ERROR(m_decoder.decode({m_buffer.data(), got}, m_isEnd, text));
        m_scanner.forget();
        m_scanner.add(text);
        if (m_isEnd) {
            m_scanner.finish();
        }
    }
}

Result<std::optional<std::span<const std::string>>> RecordReader::nextFields() {
    if (m_next) {
        m_fields = *std::exchange(m_next, std::nullopt);
        return m_fields;
    }
    ASSIGN_OR_RETURN(const auto record, scan());
    if (!record) {
        return std::nullopt;
    }
    const bool isFirst = std::exchange(m_isFirst, false);
    if (record->problem) {
        return isFirst ? tl::unexpected(*record->problem) : Result<std::optional<Fields>>(Fields());
    }
    m_fields.clear();
    if (m_format != RecordFormat::jsonLines) {
        for (const RecordScanner::Field& field : record->fields) {
            m_fields.push_back(m_scanner.contentOf(field));
        }
        return m_fields;
    }
    const auto members = membersOf(m_scanner.bytesOf(record->fields.front()));
    if (!isFirst) {
        m_fields = members ? valuesOf(*members) : std::vector<std::string>();
        return m_fields;
    }
    if (!members || members->empty()) {
        return broken("this line is not a JSON object with members", record->line);
    }
    // Their names, each once; the object itself comes next.
    for (const JsonMember& member : *members) {
        if (m_members.emplace(member.name, m_members.size()).second) {
            m_fields.push_back(member.name);
        }
    }
    m_next = valuesOf(*members);
    return m_fields;
}

std::vector<std::string> RecordReader::valuesOf(const std::vector<JsonMember>& members) const {
    std::vector<std::string> values(m_members.size());
    for (const JsonMember& member : members) {
        const auto column = m_members.find(member.name);
        if (column == m_members.end()) {
            continue;
        }
        const auto value = nlohmann::json::parse(member.value);
        // An array or object is no text, as what is missing.
        const bool isText = !value.is_null() && !value.is_structured();
        values[column->second] = value.is_string() ? value.get<std::string>()
                                 : isText          ? value.dump()
                                                   : std::string();
    }
    return values;
}

}  // namespace epsilens::io
