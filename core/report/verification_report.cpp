#include "core/report/verification_report.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

using document::Difference;

constexpr std::string_view kNotCompared =
    "what the analyst says (title, purpose, author, date, source of the texts, what the vectors "
    "were trained on, unknown words, alternatives, reason), names and places of files, version, "
    "build, threads, times and memory";

}  // namespace

nlohmann::ordered_json differencesJson(const std::vector<Difference>& differences,
                                       const document::Deviation& deviation) {
    nlohmann::ordered_json json;
    json["schema"] = "epsilens.verification/1";
    json["confirmed"] = differences.empty();
    json["rounding"] = deviation.relative;
    json["notCompared"] = kNotCompared;
    json["differences"] = nlohmann::ordered_json::array();
    for (const Difference& difference : differences) {
        nlohmann::ordered_json entry;
        entry["place"] = difference.place;
        entry["stored"] = difference.stored;
        entry["found"] = difference.found;
        json["differences"].push_back(std::move(entry));
    }
    return json;
}

std::string differencesText(const std::vector<Difference>& differences,
                            const document::Deviation& deviation) {
    std::string text =
        differences.empty()
            ? fmt::format(
                  "verified: the run was done again and every value is the same: whole numbers "
                  "exactly, others up to a part in {}{}, as processors round sums differently\n",
                  formatCount(std::llround(1.0 / deviation.relative)),
                  deviation.isOfEquals ? " of them or of 1, and up to which words have an equal N_w"
                                       : "")
            : fmt::format("{} {}\n", formatCount(static_cast<std::int64_t>(differences.size())),
                          differences.size() == 1 ? "value differs" : "values differ");
    for (const Difference& difference : differences) {
        text += fmt::format("{}: stored {}, found {}\n", printable(difference.place),
                            printable(difference.stored), printable(difference.found));
    }
    return text + fmt::format("not compared: {}\n", kNotCompared);
}

}  // namespace epsilens::report
