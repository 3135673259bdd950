#include "core/io/record_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

bool isNumber(const std::string& column) {
    return !column.empty() && std::all_of(column.begin(), column.end(), isAsciiDigit);
}

}  // namespace

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
    ASSIGN_OR_RETURN(auto source, io::ByteSource::open(options.path, std::move(stop)));
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
    auto reader = create(options, !options.column.empty(), std::move(stop));
    if (reader) {
        if (auto decided = reader->decideColumn(options.column); !decided) {
            reader = tl::unexpected(std::move(decided.error()));
        }
    }
    return std::move(reader).map_error([&](Error error) {
        error.file = options.path;
        return error;
    });
}

Result<RecordReader> RecordReader::openFields(const RecordOptions& options, std::stop_token stop) {
    return create(options, true, std::move(stop)).map_error([&](Error error) {
        return inFile(std::move(error), options.path);
    });
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
    const std::string count = formatCount(static_cast<std::int64_t>(m_fieldCount));
    if (column.empty()) {
        m_keepsFirst = m_format != RecordFormat::jsonLines;
        return m_fieldCount == 1
                   ? Result<void>()
                   : fail(ErrorCode::invalidArgument,
                          fmt::format("the data set has {} columns; choose one by its name in the "
                                      "first line, or by its number",
                                      count));
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
                    fmt::format("column \"{}\" is not in the data set; number of columns in its "
                                "first line: {}",
                                column, count));
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

/// Replaces the fields by those of the next record, none of a bad one; false at the end.
Result<bool> RecordReader::readFields() {
    if (m_firstObject) {
        splitObject(*std::exchange(m_firstObject, std::nullopt));
        return true;
    }
    ASSIGN_OR_RETURN(const auto record, scan());
    if (!record) {
        return false;
    }
    if (record->problem && m_isFirst) {
        return tl::unexpected(*record->problem);
    }
    m_isFirst = false;
    m_fieldCount = record->problem ? 0 : record->fields.size();
    m_fields.resize(std::max(m_fields.size(), m_fieldCount));
    for (std::size_t i = 0; i < m_fieldCount; ++i) {
        m_fields[i] = m_scanner.contentOf(record->fields[i]);
    }
    if (m_format != RecordFormat::jsonLines) {
        return true;
    }
    if (m_members.empty()) {
        return nameMembers(record->line).map([] { return true; });
    }
    splitObject(std::exchange(m_fields.front(), {}));
    return true;
}

Result<void> RecordReader::nameMembers(std::int64_t line) {
    const std::string first = std::move(m_fields.front());
    const auto members = membersOf(first);
    if (!members || members->empty()) {
        return tl::unexpected(
            Error{ErrorCode::badFile, "this line is not a JSON object with members", {}, line});
    }
    m_fields.clear();
    for (const JsonMember& member : *members) {
        if (m_members.emplace(member.name, m_members.size()).second) {
            m_fields.push_back(member.name);
        }
    }
    m_fieldCount = m_fields.size();
    m_firstObject = first;
    return {};
}

void RecordReader::splitObject(const std::string& line) {
    const auto members = membersOf(line);
    m_fieldCount = members ? m_members.size() : 0;
    m_fields.assign(m_fieldCount, {});
    for (const JsonMember& member : members.value_or(std::vector<JsonMember>())) {
        const auto column = m_members.find(member.name);
        if (column == m_members.end()) {
            continue;
        }
        const auto value = nlohmann::json::parse(member.value);
        // An array or object is no text, as what is missing.
        const bool isText = !value.is_null() && !value.is_structured();
        m_fields[column->second] = value.is_string() ? value.get<std::string>()
                                   : isText          ? value.dump()
                                                     : std::string();
    }
}

}  // namespace epsilens::io
