#include "core/report/verification.h"

#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::report {
namespace {

using nlohmann::ordered_json;

/// "ε = 10, λ = 0.5"
std::string settingText(const ordered_json& cell) {
    std::string text;
    for (const auto& [key, symbol] :
         {std::pair{"epsilon", "ε"}, std::pair{"lambda", "λ"}, std::pair{"gamma", "γ"}}) {
        if (cell.contains(key) && cell[key].is_number()) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol,
                                formatNumber(cell[key].get<double>()));
        }
    }
    return text;
}

/// Adds to a place in a list of settings which setting it is.
void nameSetting(std::string& place, const ordered_json& cells) {
    for (const std::string_view list : {"cells[", "guarantee["}) {
        const std::size_t at = place.find(list);
        std::size_t i = cells.size();
        if (at != std::string::npos) {
            std::from_chars(place.data() + at + list.size(), place.data() + place.size(), i);
        }
        if (i < cells.size()) {
            place += fmt::format(" ({})", settingText(cells[i]));
            return;
        }
    }
}

}  // namespace

Result<void> checkRepeatable(const KeptDocument& document) {
    const document::CalibrationRecord& record = document.report.record;
    if (!record.run.details) {
        return fail(ErrorCode::badFile,
                    "it does not hold what the run was asked for (\"repeat\"); make it anew with "
                    "this version");
    }
    if (record.summary->partial) {
        return fail(ErrorCode::unsupported,
                    "the calibration is partial: a cancelled run cannot be repeated exactly; run "
                    "it to its end first");
    }
    return {};
}

Result<std::vector<document::Difference>> compareWith(const KeptDocument& stored,
                                                      const ordered_json& found) {
    ASSIGN_OR_RETURN(auto differences,
                     document::readDocument(stored.json, [&](const document::JsonNode& whole) {
                         return document::differencesBetween(
                             stored.results.empty() ? whole : whole.at(stored.results), found);
                     }));
    const ordered_json& cells =
        (found.contains("calibration") ? found["calibration"] : found)["cells"];
    for (document::Difference& difference : differences) {
        nameSetting(difference.place, cells);
    }
    return differences;
}

}  // namespace epsilens::report
