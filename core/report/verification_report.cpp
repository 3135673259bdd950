#include "core/report/verification_report.h"

#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/io/csv.h"

namespace epsilens::report {

std::string leftOutText(const VerificationResult& result) {
    return result.statementsLeftOut.empty()
               ? std::string()
               : fmt::format("statements in words were not compared ({})",
                             result.statementsLeftOut);
}

std::string differencesJson(const VerificationResult& result) {
    nlohmann::ordered_json json;
    json["schema"] = "epsilens.verification/1";
    json["confirmed"] = result.differences.empty();
    json["statementsLeftOut"] = result.statementsLeftOut.empty()
                                    ? nlohmann::ordered_json(nullptr)
                                    : nlohmann::ordered_json(result.statementsLeftOut);
    json["differences"] = nlohmann::ordered_json::array();
    for (const Difference& difference : result.differences) {
        nlohmann::ordered_json entry;
        entry["place"] = difference.place;
        entry["stored"] = difference.stored;
        entry["found"] = difference.found;
        json["differences"].push_back(std::move(entry));
    }
    return document::jsonText(json);
}

std::string differencesText(const VerificationResult& result) {
    const std::string leftOut = leftOutText(result);
    if (result.differences.empty()) {
        return fmt::format("verified: the run was done again and every value is the same{}{}\n",
                           leftOut.empty() ? "" : "; ", leftOut);
    }
    std::string text =
        fmt::format("{} {}\n", formatCount(static_cast<std::int64_t>(result.differences.size())),
                    result.differences.size() == 1 ? "value differs" : "values differ");
    for (const Difference& difference : result.differences) {
        text += fmt::format("{}: stored {}, found {}\n", difference.place, difference.stored,
                            difference.found);
    }
    return leftOut.empty() ? text : text + leftOut + "\n";
}

std::string differencesCsv(const VerificationResult& result) {
    std::string text = "place,stored,found\n";
    for (const Difference& difference : result.differences) {
        io::appendCsvLine(text, {io::csvField(difference.place), io::csvField(difference.stored),
                                 io::csvField(difference.found)});
    }
    return text;
}

}  // namespace epsilens::report
