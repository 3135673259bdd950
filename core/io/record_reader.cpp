#include "core/io/record_reader.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/io/json_members.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kFirstLineBytes = std::size_t{1} << 20;
constexpr std::size_t kColumnsShown = 20;
constexpr auto kByteOrderMark = "\xEF\xBB\xBF"sv;

/// Lower case, without an ending for compression.
std::string plainName(const std::string& path) {
    std::string name = path;
    std::transform(name.begin(), name.end(), name.begin(), asciiLower);
    for (const std::string_view ending : {".gz"sv, ".xz"sv, ".bz2"sv, ".zst"sv, ".zip"sv}) {
        if (name.ends_with(ending)) {
            name.resize(name.size() - ending.size());
            break;
        }
    }
    return name;
}

bool isNumber(const std::string& column) {
    return !column.empty() && std::all_of(column.begin(), column.end(), isAsciiDigit);
}

}  // namespace

Result<RecordFormat> parseRecordFormat(std::string_view name) {
    for (const RecordFormat format :
         {RecordFormat::automatic, RecordFormat::lines, RecordFormat::tsv, RecordFormat::csv,
          RecordFormat::jsonLines}) {
        if (name == recordFormatName(format)) {
            return format;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("\"{}\" is not one of auto, lines, tsv, csv, jsonl", name));
}

std::string_view recordFormatName(RecordFormat format) {
    switch (format) {
        case RecordFormat::lines:
            return "lines";
        case RecordFormat::tsv:
            return "tsv";
        case RecordFormat::csv:
            return "csv";
        case RecordFormat::jsonLines:
            return "jsonl";
        case RecordFormat::automatic:
            break;
    }
    return "auto";
}

RecordReader::RecordReader(std::unique_ptr<io::ByteSource> source, TextDecoder decoder)
    : m_source(std::move(source)),
      m_decoder(std::move(decoder)),
      m_buffer(TextDecoder::kFirstBytes) {}

Result<RecordReader> RecordReader::create(const RecordOptions& options, std::stop_token stop) {
    ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::create());
    ASSIGN_OR_RETURN(auto source, io::ByteSource::open(options.path, std::move(stop)));
    RecordReader reader(std::move(source), std::move(decoder));
    RETURN_IF_ERROR(reader.skipByteOrderMark());
    return reader;
}

Result<RecordReader> RecordReader::open(const RecordOptions& options, std::stop_token stop) {
    auto reader = create(options, std::move(stop));
    if (reader) {
        auto begun = reader->decideFormat(options, !options.column.empty()).and_then([&] {
            return reader->decideColumn(options.column);
        });
        if (!begun) {
            reader = tl::unexpected(std::move(begun.error()));
        }
    }
    return std::move(reader).map_error([&](Error error) {
        error.file = options.path;
        return error;
    });
}

Result<RecordReader> RecordReader::openFields(const RecordOptions& options, std::stop_token stop) {
    auto reader = create(options, std::move(stop));
    if (reader) {
        if (auto decided = reader->decideFormat(options, true); !decided) {
            reader = tl::unexpected(std::move(decided.error()));
        }
    }
    return std::move(reader).map_error(
        [&](Error error) { return inFile(std::move(error), options.path); });
}

Result<void> RecordReader::skipByteOrderMark() {
    ASSIGN_OR_RETURN(const auto start, m_source->peek(kByteOrderMark.size()));
    if (start == kByteOrderMark) {
        std::array<char, kByteOrderMark.size()> mark{};
        RETURN_IF_ERROR(m_source->read(mark.data(), mark.size()));
    }
    return {};
}

Result<void> RecordReader::decideFormat(const RecordOptions& options, bool hasColumns) {
    m_format = options.format;
    if (m_format != RecordFormat::automatic) {
        return {};
    }
    const std::string name = plainName(options.path);
    const auto endsWithAny = [&](std::initializer_list<std::string_view> endings) {
        return std::any_of(endings.begin(), endings.end(),
                           [&](std::string_view ending) { return name.ends_with(ending); });
    };
    if (endsWithAny({".csv"})) {
        m_format = RecordFormat::csv;
    } else if (endsWithAny({".tsv", ".tab"})) {
        m_format = RecordFormat::tsv;
    } else if (endsWithAny({".jsonl", ".ndjson"})) {
        m_format = RecordFormat::jsonLines;
    } else if (!hasColumns) {
        m_format = RecordFormat::lines;
    } else {
        ASSIGN_OR_RETURN(const auto start, m_source->peek(kFirstLineBytes));
        const std::string_view firstLine = start.substr(0, start.find('\n'));
        m_format = firstLine.starts_with('{')                       ? RecordFormat::jsonLines
                   : firstLine.find('\t') != std::string_view::npos ? RecordFormat::tsv
                                                                    : RecordFormat::csv;
    }
    return {};
}

Result<void> RecordReader::decideColumn(const std::string& column) {
    if (m_format == RecordFormat::lines) {
        return column.empty()
                   ? Result<void>()
                   : fail(ErrorCode::invalidArgument,
                          fmt::format("column {}: a data set with a record a line has no columns",
                                      column));
    }
    ASSIGN_OR_RETURN(const auto any, readFields());
    if (!any) {
        return {};
    }
    std::string names;
    for (std::size_t i = 0; i < std::min(m_fieldCount, kColumnsShown); ++i) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", m_fields[i]);
    }
    names += m_fieldCount > kColumnsShown ? ", …" : "";
    if (column.empty()) {
        m_keepsFirst = m_format != RecordFormat::jsonLines;
        return m_fieldCount == 1
                   ? Result<void>()
                   : fail(ErrorCode::invalidArgument,
                          fmt::format("the data set has {} columns, one of them must be chosen by "
                                      "its name or number: {}",
                                      formatCount(static_cast<std::int64_t>(m_fieldCount)), names));
    }
    if (isNumber(column)) {
        ASSIGN_OR_RETURN(const auto number, parseInteger(column, "column", 1,
                                                         static_cast<std::int64_t>(m_fieldCount)));
        m_column = static_cast<std::size_t>(number - 1);
        m_keepsFirst = m_format != RecordFormat::jsonLines;
        return {};
    }
    const auto end = m_fields.begin() + static_cast<std::ptrdiff_t>(m_fieldCount);
    const auto found = std::find(m_fields.begin(), end, column);
    if (found == end) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("column \"{}\" is not in the data set; its first line has: {}",
                                column, names));
    }
    m_column = static_cast<std::size_t>(found - m_fields.begin());
    return {};
}

Result<bool> RecordReader::next(std::string& text) {
    while (true) {
        if (!std::exchange(m_keepsFirst, false)) {
            auto any = readFields();
            if (!any || !*any) {
                return any;
            }
        }
        if (m_column < m_fieldCount) {
            text = m_fields[m_column];
            return true;
        }
        ++m_skipped;
    }
}

Result<std::optional<std::span<const std::string>>> RecordReader::nextFields() {
    return readFields().map([&](bool any) {
        return any ? std::optional(std::span<const std::string>(m_fields.data(), m_fieldCount))
                   : std::nullopt;
    });
}

Result<bool> RecordReader::refill() {
    m_text.clear();
    m_at = 0;
    while (m_text.empty() && !m_isEnd) {
        ASSIGN_OR_RETURN(const std::size_t got, m_source->read(m_buffer.data(), m_buffer.size()));
        m_isEnd = got < m_buffer.size();
        RETURN_IF_ERROR(m_decoder.decode({m_buffer.data(), got}, m_isEnd, m_text));
    }
    return !m_text.empty();
}

void RecordReader::endField() {
    if (m_fields.size() == m_fieldCount) {
        m_fields.emplace_back();
    }
    ++m_fieldCount;
    m_place = Place::fieldStart;
}

/// Returns true where the byte ends a record.
bool RecordReader::addByte(char byte) {
    // The field under construction is the one behind the finished ones.
    if (m_fields.size() == m_fieldCount) {
        m_fields.emplace_back();
    }
    std::string& field = m_fields[m_fieldCount];
    if (m_place == Place::quoted) {
        if (byte == '"') {
            m_place = Place::quoteInQuoted;
        } else {
            field += byte;
        }
        return false;
    }
    if (m_place == Place::quoteInQuoted && byte == '"') {
        field += byte;
        m_place = Place::quoted;
        return false;
    }
    const bool isSeparated = m_format == RecordFormat::csv || m_format == RecordFormat::tsv;
    const char separator = m_format == RecordFormat::csv ? ',' : '\t';
    if (byte == '\n') {
        // A carriage return before it belongs to the line end, not to the field.
        if (m_place == Place::plain && field.ends_with('\r')) {
            field.pop_back();
        }
        endField();
        return true;
    }
    if (byte == separator && isSeparated) {
        endField();
        return false;
    }
    if (byte == '"' && m_format == RecordFormat::csv && m_place == Place::fieldStart) {
        m_place = Place::quoted;
        m_quoteLine = m_line;
        return false;
    }
    // Text behind a closing quote is taken as it is, as spreadsheets do; the CR of a line end is
    // not.
    if (m_place == Place::quoteInQuoted && byte == '\r') {
        return false;
    }
    field += byte;
    m_place = Place::plain;
    return false;
}

Result<bool> RecordReader::readFields() {
    if (m_format != RecordFormat::jsonLines) {
        return readSeparated();
    }
    if (m_firstObject) {
        m_fields.front() = std::move(*m_firstObject);
        m_firstObject.reset();
        m_fieldCount = 1;
    } else if (auto any = readSeparated(); !any || !*any) {
        return any;
    }
    if (m_members.empty()) {
        return nameMembers().map([] { return true; });
    }
    splitObject();
    return true;
}

Result<void> RecordReader::nameMembers() {
    std::vector<std::string> names = memberNames(m_fields.front());
    if (names.empty()) {
        return tl::unexpected(Error{
            ErrorCode::badFile, "this line is not a JSON object with members", {}, m_line - 1});
    }
    m_firstObject = m_fields.front();
    m_members = std::move(names);
    m_fields = m_members;
    m_fieldCount = m_members.size();
    return {};
}

void RecordReader::splitObject() {
    const auto object = nlohmann::json::parse(m_fields.front(), nullptr, false);
    m_fieldCount = 0;
    m_fields.resize(m_members.size());
    if (!object.is_object()) {
        return;
    }
    for (const std::string& name : m_members) {
        std::string& field = m_fields[m_fieldCount++];
        // An array or object is no text, as what is missing.
        const auto member = object.find(name);
        if (member == object.end() || member->is_null() || member->is_structured()) {
            field.clear();
        } else {
            field = member->is_string() ? member->get<std::string>() : member->dump();
        }
    }
}

Result<bool> RecordReader::readSeparated() {
    const auto clear = [&] {
        for (std::string& field : m_fields) {
            field.clear();
        }
        m_fieldCount = 0;
        m_recordBytes = 0;
        m_place = Place::fieldStart;
    };
    clear();
    while (true) {
        if (m_at == m_text.size()) {
            auto more = refill();
            if (!more) {
                return more;
            }
            if (!*more) {
                break;
            }
        }
        const char byte = m_text[m_at++];
        m_line += byte == '\n' ? 1 : 0;
        if (++m_recordBytes > kLongestRecord) {
            return fail(ErrorCode::badFile,
                        fmt::format("the data set has a record of more than {} MiB; is a quote "
                                    "not closed?",
                                    kLongestRecord >> 20));
        }
        if (!addByte(byte)) {
            continue;
        }
        if (m_fieldCount > 1 || !m_fields.front().empty()) {
            return true;
        }
        clear();
    }
    if (m_place == Place::quoted) {
        return tl::unexpected(Error{
            ErrorCode::badFile, "the quoted field that begins here has no end", {}, m_quoteLine});
    }
    if (m_recordBytes == 0) {
        return false;
    }
    return addByte('\n') && (m_fieldCount > 1 || !m_fields.front().empty());
}

}  // namespace epsilens::io
