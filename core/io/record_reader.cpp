#include "core/io/record_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::io {
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
    ASSIGN_OR_RETURN(const auto first, nextFields());
    if (!first) {
        return {};
    }
    const auto columns = static_cast<std::int64_t>(first->size());
    m_keepsFirst =
        m_format != RecordFormat::jsonLines && (column.empty() || isColumnNumber(column));
    if (column.empty()) {
        return columns == 1
                   ? Result<void>()
                   : fail(ErrorCode::invalidArgument,
                          fmt::format("the data set has {} columns; choose one by its name in the "
                                      "first line, or by its number",
                                      formatCount(columns)));
    }
    if (isColumnNumber(column)) {
        ASSIGN_OR_RETURN(const auto number, parseInteger(column, "column", 1, columns));
        m_column = static_cast<std::size_t>(number - 1);
        return {};
    }
    const auto found = std::find(first->begin(), first->end(), column);
    m_column = static_cast<std::size_t>(found - first->begin());
    return found != first->end()
               ? Result<void>()
               : fail(ErrorCode::invalidArgument,
                      fmt::format("column \"{}\" is not in the data set; number of columns in its "
                                  "first line: {}",
                                  column, formatCount(columns)));
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
    if (std::exchange(m_keepsFirst, false)) {
        return m_fields;
    }
    if (m_firstObject) {
        return valuesIn(*std::exchange(m_firstObject, std::nullopt));
    }
    ASSIGN_OR_RETURN(const auto record, scan());
    if (!record) {
        return std::nullopt;
    }
    const bool isFirst = std::exchange(m_isFirst, false);
    if (record->problem && isFirst) {
        return tl::unexpected(*record->problem);
    }
    if (m_format != RecordFormat::jsonLines) {
        return fieldsOf(*record);
    }
    const std::string object = m_scanner.contentOf(record->fields.front());
    return isFirst ? namesIn(object, record->line) : valuesIn(object);
}

/// None of a bad record.
RecordReader::Fields RecordReader::fieldsOf(const RecordScanner::Record& record) {
    if (record.problem) {
        return {};
    }
    m_fields.resize(record.fields.size());
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        m_fields[i] = m_scanner.contentOf(record.fields[i]);
    }
    return m_fields;
}

/// The names of the members, each once; the object itself comes next.
Result<RecordReader::Fields> RecordReader::namesIn(const std::string& object, std::int64_t line) {
    const auto members = membersOf(object);
    if (!members || members->empty()) {
        return tl::unexpected(
            Error{ErrorCode::badFile, "this line is not a JSON object with members", {}, line});
    }
    for (const JsonMember& member : *members) {
        if (m_members.emplace(member.name, m_members.size()).second) {
            m_fields.push_back(member.name);
        }
    }
    m_firstObject = object;
    return m_fields;
}

/// None of a line that is no object.
RecordReader::Fields RecordReader::valuesIn(const std::string& object) {
    const auto members = membersOf(object);
    if (!members) {
        return {};
    }
    m_fields.assign(m_members.size(), {});
    for (const JsonMember& member : *members) {
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
    return m_fields;
}

}  // namespace epsilens::io
