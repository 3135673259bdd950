#include "core/report/verification_report.h"

#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/report/csv.h"
#include "core/report/json_parts.h"

namespace epsilens::report {

std::string differencesJson(const std::vector<Difference>& differences) {
    nlohmann::ordered_json json;
    json["schema"] = "epsilens.verification/1";
    json["confirmed"] = differences.empty();
    json["differences"] = nlohmann::ordered_json::array();
    for (const Difference& difference : differences) {
        nlohmann::ordered_json entry;
        entry["place"] = difference.place;
        entry["stored"] = difference.stored;
        entry["found"] = difference.found;
        json["differences"].push_back(std::move(entry));
    }
    return jsonText(json);
}

std::string differencesText(const std::vector<Difference>& differences) {
    if (differences.empty()) {
        return "verified: the run was done again and every value is the same\n";
    }
    std::string text =
        fmt::format("{} {}\n", formatCount(static_cast<std::int64_t>(differences.size())),
                    differences.size() == 1 ? "value differs" : "values differ");
    for (const Difference& difference : differences) {
        text += fmt::format("{}: stored {}, found {}\n", difference.place, difference.stored,
                            difference.found);
    }
    return text;
}

std::string differencesCsv(const std::vector<Difference>& differences) {
    std::string text = "place,stored,found\n";
    for (const Difference& difference : differences) {
        appendCsvLine(text, {csvField(difference.place), csvField(difference.stored),
                             csvField(difference.found)});
    }
    return text;
}

}  // namespace epsilens::report
