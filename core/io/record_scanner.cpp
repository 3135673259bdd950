#include "core/io/record_scanner.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

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
    return fmt::format("{} {}", formatCount(static_cast<std::int64_t>(count)),
                       count == 1 ? "field" : "fields");
}

tl::unexpected<Error> broken(std::string message, std::int64_t line) {
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), {}, line});
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

Result<RecordFormat> parseRecordFormat(std::string_view name) {
    return valueIn(kNames, name);
}

std::string_view recordFormatName(RecordFormat format) {
    return nameIn(kNames, format);
}

RecordFormat formatOfName(std::string_view fileName) {
    std::string name(fileName);
    std::transform(name.begin(), name.end(), name.begin(), asciiLower);
    for (const std::string_view packed : {".gz", ".xz", ".bz2", ".zst", ".zip"}) {
        if (name.ends_with(packed)) {
            name.erase(name.size() - packed.size());
            break;
        }
    }
    const auto found = std::find_if(kEndings.begin(), kEndings.end(), [&](const auto& ending) {
        return name.ends_with(ending.first);
    });
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
    return !column.empty() && std::all_of(column.begin(), column.end(), isAsciiDigit);
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
    skipByteOrderMark();
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

void RecordScanner::skipByteOrderMark() {
    if (m_isBegun || (m_text.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(m_text) &&
                      !m_isFinished)) {
        return;
    }
    m_isBegun = true;
    if (m_text.starts_with(kByteOrderMark)) {
        m_begin = m_at = m_fieldBegin = kByteOrderMark.size();
    }
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
        std::count(raw.begin(), raw.end(), '"') % 2 == 1) {
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
        std::string message =
            fmt::format("this record has {}, and the first one has {}", fieldsText(m_fields.size()),
                        formatCount(static_cast<std::int64_t>(m_width)));
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
    JsonSteps steps(text);
    if (steps.next() != '{' || !nlohmann::json::accept(text)) {
        return std::nullopt;
    }
    const auto since = [&](std::size_t begin) { return text.substr(begin, steps.at() - begin); };
    std::vector<JsonMember> members;
    for (steps.take(); steps.next() != '}';) {
        const std::size_t nameBegin = steps.at();
        steps.skipString();
        auto name = nlohmann::json::parse(since(nameBegin)).get<std::string>();
        static_cast<void>(steps.next());
        steps.take();
        static_cast<void>(steps.next());
        const std::size_t valueBegin = steps.at();
        steps.skipValue();
        members.push_back({std::move(name), since(valueBegin)});
        if (steps.next() == ',') {
            steps.take();
        }
    }
    return members;
}

}  // namespace epsilens::io
