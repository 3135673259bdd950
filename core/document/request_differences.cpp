#include "core/document/request_differences.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

/// Members of a request and the options that they come from; values of flags by their names.
struct Option {
    std::string_view member{};
    std::string_view name{};
    std::string_view without{};  ///< value of a member that is missing or null
    std::array<std::string_view, 2> flag{"no", "yes"};
};

constexpr std::array kOptions{
    Option{"options/unknown", "--unknown"},
    Option{"options/case", "--case"},
    Option{"stopWords/sha256", "--stop-words", "none"},
    Option{"onlyWords/sha256", "--only-words", "none"},
    Option{"options/tasks", "--task"},
    Option{"options/classifiers", "--classifier"},
    Option{"options/positive", "--positive", "the last class"},
    Option{"options/perturbTest", "--test-text", {}, {"original", "perturbed"}},
    Option{"options/repeats", "--repeats"},
    Option{"options/seed", "--seed"},
    Option{"options/attack/prior", "--prior", "training"},
    Option{"priorFile/sha256", "the file of --prior", "none"},
    Option{"match", "--match", "none"},
    Option{"load/limitRows", "--limit-rows", "none"},
    Option{"load/inputFormat", "--input-format"},
    Option{"load/strict", "--strict"}};

/// Members whose differences are told in another way, or do not change results.
constexpr std::array<std::string_view, 11> kElsewhere{
    "data/",          "load/path",     "load/vocabulary",  "/path",           "options/mechanism",
    "options/metric", "options/noise", "options/epsilons", "options/lambdas", "options/gammas",
    "options/betas"};

bool isElsewhere(std::string_view member) {
    return std::any_of(kElsewhere.begin(), kElsewhere.end(), [&](std::string_view part) {
        return part.front() == '/' ? member.ends_with(part) : member.starts_with(part);
    });
}

using Leaves = std::vector<std::pair<std::string, ordered_json>>;

/// Adds all values of a document that are no objects, by the way to them.
void gatherLeaves(const ordered_json& node, Leaves& leaves) {
    std::vector<std::pair<std::string, const ordered_json*>> open{{"", &node}};
    while (!open.empty()) {
        const auto [place, value] = std::move(open.back());
        open.pop_back();
        if (!value->is_object()) {
            leaves.emplace_back(place, *value);
            continue;
        }
        for (auto member = value->rbegin(); member != value->rend(); ++member) {
            open.emplace_back(place.empty() ? member.key() : place + "/" + member.key(),
                              &member.value());
        }
    }
}

const ordered_json* find(const Leaves& leaves, std::string_view member) {
    const auto found = std::find_if(leaves.begin(), leaves.end(),
                                    [&](const auto& leaf) { return leaf.first == member; });
    return found == leaves.end() || found->second.is_null() ? nullptr : &found->second;
}

std::string shown(const ordered_json* value, const Option& option) {
    constexpr std::size_t kLongest = 60;
    constexpr std::size_t kDigest = 12;
    if (value == nullptr) {
        return std::string(option.without);
    }
    if (value->is_boolean()) {
        return std::string(option.flag.at(value->get<bool>() ? 1 : 0));
    }
    if (value->is_array()) {
        std::string list;
        for (const ordered_json& item : *value) {
            list += (list.empty() ? "" : ",") + shown(&item, option);
        }
        return list;
    }
    std::string text = value->is_string() ? value->get<std::string>() : jsonLine(*value);
    if (option.member.ends_with("/sha256")) {
        return fmt::format("SHA-256 {}…", std::string_view(text).substr(0, kDigest));
    }
    return text.size() > kLongest ? "another text" : text;
}

}  // namespace

std::vector<std::string> requestDifferences(const EvaluationRequest& first,
                                            const EvaluationRequest& second) {
    std::array<Leaves, 2> leaves;
    gatherLeaves(jsonRequest(first), leaves[0]);
    gatherLeaves(jsonRequest(second), leaves[1]);
    std::vector<Option> options(kOptions.begin(), kOptions.end());
    for (const Leaves& ofOne : leaves) {
        for (const auto& [member, value] : ofOne) {
            const auto isIt = [&place = member](const Option& option) {
                return option.member == place;
            };
            if (!isElsewhere(member) && std::none_of(options.begin(), options.end(), isIt)) {
                options.push_back({member, member, "not given"});
            }
        }
    }
    std::vector<std::string> sentences;
    for (const Option& option : options) {
        const ordered_json* one = find(leaves[0], option.member);
        const ordered_json* other = find(leaves[1], option.member);
        if ((one == nullptr) != (other == nullptr) || (one != nullptr && *one != *other)) {
            sentences.push_back(fmt::format("{}: {} in the first run, {} in the second.",
                                            option.name, shown(one, option), shown(other, option)));
        }
    }
    return sentences;
}

bool hasSamePolicies(const EvaluationRequest& first, const EvaluationRequest& second) {
    return first.options.policies.unknown == second.options.policies.unknown &&
           first.options.policies.letterCase == second.options.policies.letterCase &&
           first.stopWords.sha256 == second.stopWords.sha256 &&
           first.onlyWords.sha256 == second.onlyWords.sha256;
}

}  // namespace epsilens::document
