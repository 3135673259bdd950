#include "core/document/json_node.h"

#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

constexpr int kMostLevels = 64;
/// Objects keep their keys in order, which makes adding one the slower the more there are.
constexpr std::size_t kMostMembers = 1'000;

const ordered_json& nothing() {
    static const ordered_json kNothing;
    return kNothing;
}

/// Looks for what the library lets pass: repeated keys and deep nesting.
class StructureCheck {
public:
    bool operator()(int depth, ordered_json::parse_event_t event, const ordered_json& value) {
        if (depth > kMostLevels) {
            m_problem = fmt::format("it is nested more than {} levels deep", kMostLevels);
        }
        if (!m_problem.empty()) {
            return false;
        }
        if (event == ordered_json::parse_event_t::object_start) {
            m_keys.emplace_back();
        } else if (event == ordered_json::parse_event_t::object_end) {
            m_keys.pop_back();
        } else if (event == ordered_json::parse_event_t::key) {
            const auto& key = value.get_ref<const std::string&>();
            if (!m_keys.back().insert(key).second) {
                m_problem = fmt::format("the key \"{}\" stands twice in one object", key);
            } else if (m_keys.back().size() > kMostMembers) {
                m_problem = fmt::format("an object has more than {} members", kMostMembers);
            }
        }
        return true;
    }

    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    std::vector<std::set<std::string>> m_keys{};
    std::string m_problem{};
};

std::string rangeText(double lowest, double highest) {
    constexpr double kUnbounded = std::numeric_limits<double>::max();
    if (highest == kUnbounded) {
        return lowest == -kUnbounded
                   ? std::string("a finite number")
                   : fmt::format("a finite number of at least {}", formatNumber(lowest));
    }
    return fmt::format("a number from {} to {}", formatNumber(lowest), formatNumber(highest));
}

}  // namespace

Result<ordered_json> parseDocument(std::string_view text) {
    StructureCheck check;
    try {
        ordered_json document = ordered_json::parse(
            text, [&](int depth, ordered_json::parse_event_t event, ordered_json& value) {
                return check(depth, event, value);
            });
        if (check.problem().empty()) {
            return document;
        }
    } catch (const ordered_json::exception&) {
        if (check.problem().empty()) {
            return fail(ErrorCode::badFile,
                        "it is not a whole JSON document; it may be damaged or cut short");
        }
    }
    return fail(ErrorCode::badFile, check.problem());
}

void JsonNode::complain(std::string_view message) const {
    if (!*m_problem) {
        *m_problem = Error{
            ErrorCode::badFile,
            m_place.empty() ? std::string(message) : fmt::format("\"{}\": {}", m_place, message),
            {},
            0};
    }
}

JsonNode JsonNode::at(std::string_view key) const {
    const std::string place =
        m_place.empty() ? std::string(key) : fmt::format("{}.{}", m_place, key);
    if (m_value->is_object()) {
        const auto member = m_value->find(std::string(key));
        if (member != m_value->end()) {
            return {*member, place, *m_problem};
        }
        complain(fmt::format("it has no \"{}\"", key));
    } else {
        complain("it is not an object");
    }
    return {nothing(), place, *m_problem};
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    if (!m_value->is_object() || !m_value->contains(std::string(key))) {
        return std::nullopt;
    }
    JsonNode member = at(key);
    return member.isNull() ? std::nullopt : std::optional(std::move(member));
}

std::vector<JsonNode> JsonNode::items(std::size_t most) const {
    std::vector<JsonNode> nodes;
    if (!m_value->is_array() || m_value->size() > most) {
        complain(fmt::format("it is not an array of at most {} elements", most));
        return nodes;
    }
    for (std::size_t i = 0; i < m_value->size(); ++i) {
        nodes.emplace_back((*m_value)[i], fmt::format("{}[{}]", m_place, i), *m_problem);
    }
    return nodes;
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

std::optional<double> JsonNode::numberOrNull(double lowest, double highest) const {
    return isNull() ? std::nullopt : std::optional(number(lowest, highest));
}

std::int64_t JsonNode::integer(std::int64_t lowest, std::int64_t highest) const {
    constexpr auto kLargestSigned =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const bool whole =
        m_value->is_number_integer() &&
        !(m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > kLargestSigned);
    const std::int64_t value = whole ? m_value->get<std::int64_t>() : 0;
    if (!whole || value < lowest || value > highest) {
        complain(highest == std::numeric_limits<std::int64_t>::max()
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

std::string JsonNode::text(std::size_t most) const {
    if (!m_value->is_string() || m_value->get_ref<const std::string&>().size() > most) {
        complain(fmt::format("it is not a text of at most {} bytes", most));
        return {};
    }
    return m_value->get<std::string>();
}

std::string_view JsonNode::textView() const {
    if (!m_value->is_string()) {
        complain("it is not a text");
        return {};
    }
    return m_value->get_ref<const std::string&>();
}

std::vector<double> JsonNode::numbers(double lowest, double highest, std::size_t most) const {
    std::vector<double> values;
    for (const JsonNode& item : items(most)) {
        values.push_back(item.number(lowest, highest));
    }
    return values;
}

bool JsonNode::isNull() const {
    return m_value->is_null();
}

bool JsonNode::isText() const {
    return m_value->is_string();
}

}  // namespace epsilens::document
