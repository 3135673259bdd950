#include "core/document/json_document.h"

#include <bit>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

std::string rangeText(double lowest, double highest) {
    if (highest == kLargestNumber) {
        return lowest == -kLargestNumber
                   ? std::string("a finite number")
                   : fmt::format("a finite number of at least {}", formatNumber(lowest));
    }
    return fmt::format("a number from {} to {}", formatNumber(lowest), formatNumber(highest));
}

/// "epsilens.session/" of "epsilens.session/1"
std::string_view familyOf(std::string_view schema) {
    return schema.substr(0, schema.find('/') + 1);
}

}  // namespace

std::size_t JsonNode::lookUp(std::string_view key, std::size_t from, std::size_t to) const {
    while (from < to) {
        if (m_document->m_texts[m_document->m_bits[from]] == key) {
            return from + 1;
        }
        from = m_document->after(from + 1);
    }
    return kNowhere;
}

JsonNode JsonNode::memberFrom(std::size_t& start, std::string_view key) const {
    if (kind() != JsonKind::object) {
        complain("it is not an object");
        return {*this, kNowhere};
    }
    const std::size_t first = m_at + 1;
    const std::size_t from = start > first ? start : first;
    std::size_t found = lookUp(key, from, m_document->after(m_at));
    if (found == kNowhere) {
        found = lookUp(key, first, from);
    }
    if (found == kNowhere) {
        complain(fmt::format("it has no \"{}\"", key));
    } else {
        start = m_document->after(found);
    }
    return {*this, found};
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    if (!has(key)) {
        return std::nullopt;
    }
    const JsonNode member = at(key);
    return member.isNull() ? std::nullopt : std::optional(member);
}

bool JsonNode::has(std::string_view key) const {
    return kind() == JsonKind::object && lookUp(key, m_at + 1, m_document->after(m_at)) != kNowhere;
}

bool JsonNode::isArrayOf(std::size_t most) const {
    bool isArray = kind() == JsonKind::array;
    if (isArray) {
        std::size_t at = m_at + 1;
        std::size_t count = 0;
        for (const std::size_t end = m_document->after(m_at); at < end && count <= most; ++count) {
            at = m_document->after(at);
        }
        isArray = count <= most;
    }
    if (!isArray) {
        complain(fmt::format("it is not an array of at most {} elements", most));
    }
    return isArray;
}

double JsonNode::number(double lowest, double highest) const {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (kind() == JsonKind::number) {
        value = std::bit_cast<double>(m_document->m_bits[m_at]);
    } else if (kind() == JsonKind::integer) {
        value = static_cast<double>(static_cast<std::int64_t>(m_document->m_bits[m_at]));
    }
    if (!(value >= lowest && value <= highest)) {
        complain(fmt::format("it is not {}", rangeText(lowest, highest)));
        return lowest;
    }
    return value;
}

std::int64_t JsonNode::integer(std::int64_t lowest, std::int64_t highest) const {
    const bool isWhole = kind() == JsonKind::integer;
    const auto value = isWhole ? static_cast<std::int64_t>(m_document->m_bits[m_at]) : 0;
    if (!isWhole || value < lowest || value > highest) {
        complain(highest == kLargestInteger
                     ? fmt::format("it is not a whole number of at least {}", lowest)
                     : fmt::format("it is not a whole number from {} to {}", lowest, highest));
        return lowest;
    }
    return value;
}

bool JsonNode::boolean() const {
    if (kind() != JsonKind::yes && kind() != JsonKind::no) {
        complain("it is neither true nor false");
    }
    return kind() == JsonKind::yes;
}

std::string_view JsonNode::textView(std::size_t most) const {
    if (kind() != JsonKind::text || m_document->m_texts[m_document->m_bits[m_at]].size() > most) {
        complain(most == kAnyNumber ? std::string("it is not a text")
                                    : fmt::format("it is not a text of at most {} bytes", most));
        return {};
    }
    return m_document->m_texts[m_document->m_bits[m_at]];
}

std::string JsonNode::place() const {
    std::string place;
    for (std::size_t container = 0; container < m_at && m_at != kNowhere;) {
        const bool isObject = m_document->m_kinds[container] == JsonKind::object;
        std::size_t value = container + 1;
        for (std::size_t i = 0;; ++i) {
            const std::size_t key = value;
            value += isObject ? 1 : 0;
            if (m_document->after(value) > m_at) {
                place += isObject ? fmt::format("{}{}", place.empty() ? "" : ".",
                                                m_document->m_texts[m_document->m_bits[key]])
                                  : fmt::format("[{}]", i);
                break;
            }
            value = m_document->after(value);
        }
        container = value;
    }
    return place;
}

void JsonNode::complain(std::string_view message) const {
    if (!*m_problem) {
        const std::string where = place();
        *m_problem =
            Error{ErrorCode::badFile,
                  where.empty() ? std::string(message) : fmt::format("\"{}\": {}", where, message),
                  {},
                  0};
    }
}

bool JsonNode::goesOn() const {
    if (!*m_problem && m_document->m_stop.stop_requested()) {
        *m_problem = Error{ErrorCode::cancelled, "cancelled", {}, 0};
    }
    return !*m_problem;
}

ordered_json JsonNode::withoutContent() const {
    switch (kind()) {
        case JsonKind::null:
            break;
        case JsonKind::no:
        case JsonKind::yes:
            return kind() == JsonKind::yes;
        case JsonKind::integer:
            return static_cast<std::int64_t>(m_document->m_bits[m_at]);
        case JsonKind::number:
            return std::bit_cast<double>(m_document->m_bits[m_at]);
        case JsonKind::text:
            return textView();
        case JsonKind::array:
            return ordered_json::array();
        case JsonKind::object:
            return ordered_json::object();
    }
    return nullptr;
}

void checkSchema(const JsonNode& document, std::string_view schema) {
    const JsonNode node = document.at("schema");
    const std::string_view found = node.textView(kLongestName);
    if (found == schema) {
        return;
    }
    node.complain(found.starts_with(familyOf(schema))
                      ? fmt::format("this program reads {}, the file is {}; a newer version of "
                                    "Epsilens made it",
                                    schema, found)
                      : fmt::format("it is \"{}\" instead of \"{}\"", found, schema));
}

bool isFamily(const JsonDocument& document, std::string_view schema) {
    std::optional<Error> ignored;
    const auto found = JsonNode(document, ignored).find("schema");
    return found && found->textView().starts_with(familyOf(schema));
}

}  // namespace epsilens::document
