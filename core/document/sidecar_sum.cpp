#include "core/document/sidecar_sum.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/json_parser.h"
#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

/// A value with what it holds.
ordered_json wholeOf(const JsonNode& node) {
    ordered_json value = node.withoutContent();
    if (node.kind() == JsonKind::array) {
        value = ordered_json::array();
        node.eachItem(kAnyNumber, [&](const JsonNode& item) { value.push_back(wholeOf(item)); });
    } else if (node.kind() == JsonKind::object) {
        value = ordered_json::object();
        node.eachMember([&](std::string_view key, const JsonNode& member) {
            value[std::string(key)] = wholeOf(member);
        });
    }
    return value;
}

Result<ordered_json> openSidecar(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto document, openJson(path, stop));
    auto json = readDocument(document, [](const JsonNode& node) {
        checkSchema(node, kSidecarSchema);
        return wholeOf(node);
    });
    return json ? std::move(json) : tl::unexpected(inFile(std::move(json.error()), path));
}

/// What becomes of a number in the sum.
enum class Rule { same, add, largest };

Rule ruleOf(std::string_view place) {
    for (const std::string_view added :
         {".counts.", ".wholeLines", ".settings.table.records", ".guarantee.total.",
          ".guarantee.repetition.distinctWords"}) {
        if (place.starts_with(added)) {
            return Rule::add;
        }
    }
    const bool isLargest = place.starts_with(".guarantee.perLine.") ||
                           place == ".guarantee.repetition.mostDistinctInDocument";
    return isLargest ? Rule::largest : Rule::same;
}

bool fitsCount(std::int64_t a, std::int64_t b) {
    return a >= 0 && b >= 0 && b <= std::numeric_limits<std::int64_t>::max() - a;
}

/// Adds `other` to `sum`, which lies at this place. Returns the place of what cannot be added, or
/// nothing.
std::string add(ordered_json& sum, const ordered_json& other, const std::string& place) {
    if (sum.is_object() && other.is_object() && sum.size() == other.size()) {
        for (auto& [key, value] : sum.items()) {
            std::string inner = fmt::format("{}.{}", place, key);
            const auto found = other.find(key);
            if (found == other.end()) {
                return inner;
            }
            if (std::string wrong = add(value, *found, inner); !wrong.empty()) {
                return wrong;
            }
        }
        return {};
    }
    const Rule rule = ruleOf(place);
    if (place == ".partial" && sum.is_boolean() && other.is_boolean()) {
        sum = sum.get<bool>() || other.get<bool>();
    } else if (rule == Rule::same || !sum.is_number() || !other.is_number()) {
        return sum == other ? std::string() : place;
    } else if (rule == Rule::largest) {
        sum = std::max(sum, other);
    } else if (sum.is_number_integer() && other.is_number_integer()) {
        if (!fitsCount(sum.get<std::int64_t>(), other.get<std::int64_t>())) {
            return place;
        }
        sum = sum.get<std::int64_t>() + other.get<std::int64_t>();
    } else {
        sum = sum.get<double>() + other.get<double>();
    }
    return {};
}

}  // namespace

Result<std::string> sumSidecars(const std::vector<std::string>& paths,
                                const std::stop_token& stop) {
    if (paths.empty()) {
        return fail(ErrorCode::invalidArgument, "there are no sidecars");
    }
    ASSIGN_OR_RETURN(ordered_json sum, openSidecar(paths.front(), stop));
    for (auto path = paths.begin() + 1; path != paths.end(); ++path) {
        ASSIGN_OR_RETURN(const ordered_json other, openSidecar(*path, stop));
        if (const std::string place = add(sum, other, ""); !place.empty()) {
            return tl::unexpected(
                Error{ErrorCode::badFile,
                      fmt::format("{}: it differs from {}, so the totals cannot be added",
                                  place.substr(1), paths.front()),
                      *path, 0});
        }
    }
    return jsonText(sum);
}

}  // namespace epsilens::document
