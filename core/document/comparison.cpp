#include "core/document/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

constexpr const char* kAbsent = "absent";

/// Members that two runs of one request need not share, by the ends of their places.
constexpr std::array<std::string_view, 34> kCircumstances{
    // what the program and the machine are
    "version", "build", "run.threads", "run.peakMemoryMiB", "seconds", "seconds.load",
    "seconds.prepare", "seconds.calibrate", "seconds.perturb", "seconds.classify",
    "seconds.reconstruct", "seconds.membership", "seconds.authorship", "seconds.audit",
    // where files lie and how they are called, as long as they are the same
    "embedding.file", "attack.priorFile", "repeat.path", "repeat.vocabulary", "load.path",
    "load.vocabulary", "data.path", "data.testPath", "data.relativePath", "stopWords.path",
    "onlyWords.path", "priorFile.path",
    // what the analyst says, which follows from nothing that could be done again
    "report.title", "report.purpose", "report.author", "report.date", "report.textSource",
    "report.alternatives", "report.reason", "report.epsilonOrigin"};

bool isCircumstance(std::string_view place) {
    // Of an evaluation; those of a calibration, further within, choose its words.
    if (place == "data.file" || place == "data.columns") {
        return true;
    }
    return std::ranges::any_of(kCircumstances, [place](std::string_view circumstance) {
        return place.ends_with(circumstance) &&
               (place.size() == circumstance.size() ||
                place[place.size() - circumstance.size() - 1] == '.');
    });
}

std::string shown(const ordered_json& value) {
    constexpr std::size_t kLongest = 80;
    const std::string text = value.is_array() ? "[…]" : value.is_object() ? "{…}" : jsonLine(value);
    return text.size() > kLongest ? fmt::format("{}…", std::string_view(text).substr(0, kLongest))
                                  : text;
}

/// Whether two values are the same, or numbers that deviate by as much as they may.
bool areSame(const ordered_json& stored, const ordered_json& found, const Deviation& deviation) {
    const bool areIntegers = stored.is_number_integer() && found.is_number_integer();
    if (!stored.is_number() || !found.is_number() || areIntegers) {
        return stored == found;
    }
    const auto expected = found.get<double>();
    return std::abs(stored.get<double>() - expected) <=
           std::max(deviation.relative * std::abs(expected), deviation.absolute);
}

/// Whether an entry of a list of worst words is one of several with the same N_w, of which the
/// stored list names another at this place.
bool isAmongEquals(const JsonNode& stored, const ordered_json& list, std::size_t place,
                   const Deviation& deviation) {
    const ordered_json& found = list[place];
    const auto memberOf = [](const ordered_json& word, const char* key) {
        return word.is_object() ? word.value(key, ordered_json()) : ordered_json();
    };
    const ordered_json count = memberOf(found, "nw");
    if (!stored.isObject() || !stored.has("row") || !stored.has("nw") || !count.is_number() ||
        stored.at("row").value() == memberOf(found, "row") ||
        !areSame(stored.at("nw").value(), count, deviation)) {
        return false;
    }
    const auto equals = [&](std::size_t other) {
        const ordered_json neighbour = memberOf(list[other], "nw");
        return neighbour.is_number() && areSame(neighbour, count, deviation);
    };
    return (place > 0 && equals(place - 1)) || (place + 1 < list.size() && equals(place + 1));
}

/// Walks through two documents at once.
struct Comparison {
    void compare(const JsonNode& stored, const ordered_json& found, const std::string& place) {
        if (stored.isObject() && found.is_object()) {
            compareObjects(stored, found, place);
        } else if (stored.value().is_array() && found.is_array()) {
            compareArrays(stored, found, place);
        } else if (!areSame(stored.value(), found,
                            // Other mechanisms may be summed exactly.
                            place.starts_with("compared.") ? kOfExactSums : deviation)) {
            differences.push_back({place, shown(stored.value()), shown(found)});
        }
    }

    void compareObjects(const JsonNode& stored, const ordered_json& found,
                        const std::string& place) {
        const std::string start = place.empty() ? "" : place + ".";
        stored.eachMember([&](std::string_view key, const JsonNode& member) {
            const std::string inner = start + std::string(key);
            if (isCircumstance(inner) && !member.isObject()) {
                return;
            }
            if (const auto other = found.find(key); other != found.end()) {
                compare(member, *other, inner);
            } else {
                differences.push_back({inner, shown(member.value()), kAbsent});
            }
        });
        for (const auto& [key, value] : found.items()) {
            if (!stored.has(key) && !isCircumstance(start + key)) {
                differences.push_back({start + key, kAbsent, shown(value)});
            }
        }
    }

    void compareArrays(const JsonNode& stored, const ordered_json& found,
                       const std::string& place) {
        const bool mayBeEquals = deviation.isOfEquals && place.ends_with("worstWords");
        std::size_t i = 0;
        stored.eachItem(kAnyNumber, [&](const JsonNode& item) {
            const std::string inner = fmt::format("{}[{}]", place, i);
            if (i < found.size()) {
                if (!mayBeEquals || !isAmongEquals(item, found, i, deviation)) {
                    compare(item, found[i], inner);
                }
            } else {
                differences.push_back({inner, shown(item.value()), kAbsent});
            }
            ++i;
        });
        for (; i < found.size(); ++i) {
            differences.push_back({fmt::format("{}[{}]", place, i), kAbsent, shown(found[i])});
        }
    }

    Deviation deviation{};
    std::vector<Difference> differences{};
};

}  // namespace

std::vector<Difference> differencesBetween(const JsonNode& stored, const ordered_json& found,
                                           const Deviation& deviation) {
    Comparison comparison{deviation};
    comparison.compare(stored, found, {});
    return std::move(comparison.differences);
}

void demandFollows(const JsonNode& part, const JsonNode& stored, const ordered_json& found) {
    const auto differences = differencesBetween(stored, found, {kLargestDeviation});
    if (!differences.empty()) {
        part.complain(fmt::format(
            "{} is {}, and the rest of the file makes it {}; the file was changed or is damaged, "
            "so make it anew",
            differences.front().place, differences.front().stored, differences.front().found));
    }
}

}  // namespace epsilens::document
