#include "core/document/json_document.h"

#include <utility>

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

using Members = ordered_json::object_t;

/// Whether a place begins with a key.
bool isMember(const std::string& place) {
    return !place.empty() && place.front() != '[';
}

/// Stands for a member that is not there.
const ordered_json kNothing = nullptr;

/// The way from a value to another that is part of it, found by its address.
std::optional<std::string> placeWithin(const ordered_json& whole, const ordered_json& part) {
    if (&whole == &part) {
        return std::string();
    }
    if (whole.is_array()) {
        for (std::size_t i = 0; i < whole.size(); ++i) {
            if (const auto inner = placeWithin(whole[i], part)) {
                return fmt::format("[{}]{}{}", i, isMember(*inner) ? "." : "", *inner);
            }
        }
    } else if (whole.is_object()) {
        for (const auto& [key, value] : whole.get_ref<const Members&>()) {
            if (const auto inner = placeWithin(value, part)) {
                return fmt::format("{}{}{}", key, isMember(*inner) ? "." : "", *inner);
            }
        }
    }
    return std::nullopt;
}

/// "epsilens.session/" of "epsilens.session/1"
std::string_view familyOf(std::string_view schema) {
    return schema.substr(0, schema.find('/') + 1);
}

}  // namespace

JsonDocument::JsonDocument() : JsonDocument(nullptr, {}) {}

JsonDocument::JsonDocument(ordered_json value, std::stop_token stop)
    : m_value(std::make_shared<const ordered_json>(std::move(value))), m_stop(std::move(stop)) {}

bool JsonNode::isNull() const {
    return m_value->is_null();
}

bool JsonNode::isObject() const {
    return m_value->is_object();
}

JsonNode JsonNode::memberFrom(std::size_t& start, std::string_view key) const {
    if (!isObject()) {
        complain("it is not an object");
        return {*this, kNothing};
    }
    for (std::size_t i = 0; i < size(); ++i) {
        const std::size_t index = (start + i) % size();
        if (keyAt(index) == key) {
            start = index + 1;
            return valueAt(index);
        }
    }
    complain(fmt::format("it has no \"{}\"", key));
    return {*this, kNothing};
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    if (!has(key)) {
        return std::nullopt;
    }
    const JsonNode member = at(key);
    return member.isNull() ? std::nullopt : std::optional(member);
}

bool JsonNode::has(std::string_view key) const {
    return isObject() && m_value->contains(key);
}

bool JsonNode::isArrayOf(std::size_t most) const {
    const bool isArray = m_value->is_array() && size() <= most;
    if (!isArray) {
        complain(fmt::format("it is not an array of at most {} elements", most));
    }
    return isArray;
}

std::size_t JsonNode::size() const {
    return m_value->size();
}

JsonNode JsonNode::valueAt(std::size_t index) const {
    const auto offset = static_cast<std::ptrdiff_t>(index);
    return {*this, isObject() ? m_value->get_ref<const Members&>().begin()[offset].second
                              : (*m_value)[index]};
}

std::string_view JsonNode::keyAt(std::size_t index) const {
    const auto offset = static_cast<std::ptrdiff_t>(index);
    return m_value->get_ref<const Members&>().begin()[offset].first;
}

double JsonNode::number(double lowest, double highest) const {
    const double value =
        m_value->is_number() ? m_value->get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(value >= lowest && value <= highest)) {
        complain(fmt::format("it is not {}", rangeText(lowest, highest)));
        return lowest;
    }
    return value;
}

std::int64_t JsonNode::integer(std::int64_t lowest, std::int64_t highest) const {
    const bool isWhole = m_value->is_number_integer() &&
                         !(m_value->is_number_unsigned() &&
                           m_value->get<std::uint64_t>() > std::uint64_t{kLargestInteger});
    const auto value = isWhole ? m_value->get<std::int64_t>() : 0;
    if (!isWhole || value < lowest || value > highest) {
        complain(highest == kLargestInteger
                     ? fmt::format("it is not a whole number of at least {}", lowest)
                     : fmt::format("it is not a whole number from {} to {}", lowest, highest));
        return lowest;
    }
    return value;
}

bool JsonNode::boolean() const {
    if (!m_value->is_boolean()) {
        complain("it is neither true nor false");
        return false;
    }
    return m_value->get<bool>();
}

std::string_view JsonNode::textView(std::size_t most) const {
    if (!m_value->is_string() || m_value->get_ref<const std::string&>().size() > most) {
        complain(most == kAnyNumber ? std::string("it is not a text")
                                    : fmt::format("it is not a text of at most {} bytes", most));
        return {};
    }
    return m_value->get_ref<const std::string&>();
}

std::string JsonNode::place() const {
    return placeWithin(m_document->value(), *m_value).value_or("");
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
    if (!*m_problem && m_document->stop().stop_requested()) {
        *m_problem = Error{ErrorCode::cancelled, "cancelled", {}, 0};
    }
    return !*m_problem;
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
