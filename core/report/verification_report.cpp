#include "core/report/verification_report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {

nlohmann::ordered_json differencesJson(const std::vector<document::Difference>& differences,
                                       const document::Deviation& deviation) {
    nlohmann::ordered_json json{{"schema", "epsilens.verification/1"},
                                {"confirmed", differences.empty()},
                                {"rounding", deviation.relative},
                                {"notCompared", prose("not compared")},
                                {"differences", nlohmann::ordered_json::array()}};
    for (const document::Difference& difference : differences) {
        json["differences"].push_back({{"place", difference.place},
                                       {"stored", difference.stored},
                                       {"found", difference.found}});
    }
    return json;
}

std::string differencesText(const std::vector<document::Difference>& differences,
                            const document::Deviation& deviation) {
    std::string text =
        differences.empty()
            ? fmt::format(
                  "verified: the run was done again and every value is the same: whole numbers "
                  "exactly, others up to a part in {}{}, as processors round sums differently\n",
                  formatCount(std::llround(1.0 / deviation.relative)),
                  deviation.isOfEquals ? " of them or of 1, and up to which words have an equal N_w"
                                       : "")
            : counted(std::ssize(differences), "value differs", "values differ") + "\n";
    for (const document::Difference& difference : differences) {
        text += fmt::format("{}: stored {}, found {}\n", printable(difference.place),
                            printable(difference.stored), printable(difference.found));
    }
    return text + fmt::format("not compared: {}\n", prose("not compared"));
}

}  // namespace epsilens::report
