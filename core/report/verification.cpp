#include "core/report/verification.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/calibration_json.h"
#include "core/document/json_parts.h"
#include "core/document/request_json.h"
#include "core/report/report_json.h"

namespace epsilens::report {
namespace {

using nlohmann::ordered_json;

/// Members of a calibration or a report that two runs of the same request need not share.
bool mayDiffer(std::string_view place) {
    constexpr std::string_view kInReport = "calibration.";
    constexpr std::array<std::string_view, 8> kCircumstances{
        "version",           "build",         "run.threads",
        "run.seconds",       "repeat.path",   "run.peakMemoryMiB",
        "repeat.vocabulary", "embedding.file"};
    if (place.starts_with(kInReport)) {
        place.remove_prefix(kInReport.size());
    }
    return std::find(kCircumstances.begin(), kCircumstances.end(), place) != kCircumstances.end();
}

/// Of the program that wrote a document; empty where it does not say.
std::string versionOf(const ordered_json& document) {
    const bool isNamed =
        document.is_object() && document.contains("version") && document["version"].is_string();
    return isNamed ? document["version"].get<std::string>() : std::string();
}

/// What a report says in words.
constexpr std::string_view kStatements = "statements";

/// Walks through two documents at once.
class Comparison {
public:
    /// sameVersion  of the program that wrote them: what it says in words is the same only then
    Comparison(std::vector<Difference>& differences, bool sameVersion)
        : m_differences(differences), m_sameVersion(sameVersion) {}

    void compare(const ordered_json& stored, const ordered_json& found, const std::string& place) {
        if (mayDiffer(place) || (place == kStatements && !m_sameVersion)) {
            return;
        }
        if (stored.is_object() && found.is_object()) {
            compareObjects(stored, found, place);
        } else if (stored.is_array() && found.is_array()) {
            compareArrays(stored, found, place);
        } else if (stored != found) {
            m_differences.push_back({place, shown(stored), shown(found)});
        }
    }

private:
    static std::string shown(const ordered_json& value) {
        constexpr std::size_t kLongest = 80;
        std::string text = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
        return text.size() > kLongest
                   ? fmt::format("{}…", std::string_view(text).substr(0, kLongest))
                   : text;
    }

    static std::string member(const std::string& place, const std::string& key) {
        return place.empty() ? key : place + "." + key;
    }

    void absent(const std::string& place, std::string stored, std::string found) {
        if (!mayDiffer(place)) {
            m_differences.push_back({place, std::move(stored), std::move(found)});
        }
    }

    /// What documents of earlier versions do not have: nothing there can be found wrong.
    static bool mayLack(std::string_view place) {
        return place == kStatements || place == "embedding.sharedVectors" ||
               place == "calibration.embedding.sharedVectors";
    }

    void compareObjects(const ordered_json& stored, const ordered_json& found,
                        const std::string& place) {
        for (const auto& [key, value] : stored.items()) {
            if (const auto other = found.find(key); other != found.end()) {
                compare(value, *other, member(place, key));
            } else {
                absent(member(place, key), shown(value), "absent");
            }
        }
        for (const auto& [key, value] : found.items()) {
            if (!stored.contains(key) && !mayLack(member(place, key))) {
                absent(member(place, key), "absent", shown(value));
            }
        }
    }

    void compareArrays(const ordered_json& stored, const ordered_json& found,
                       const std::string& place) {
        for (std::size_t i = 0; i < std::max(stored.size(), found.size()); ++i) {
            const std::string element = fmt::format("{}[{}]", place, i);
            if (i >= stored.size()) {
                absent(element, "absent", shown(found[i]));
            } else if (i >= found.size()) {
                absent(element, shown(stored[i]), "absent");
            } else {
                compare(stored[i], found[i], element);
            }
        }
    }

    std::vector<Difference>& m_differences;
    bool m_sameVersion;
};

/// The calibration of a document of either schema; an object without members when there is none.
const ordered_json& calibrationOf(const ordered_json& document) {
    return document.is_object() && document.contains("calibration") ? document["calibration"]
                                                                    : document;
}

bool isReport(const ordered_json& document) {
    return document.is_object() && document.value("schema", ordered_json()) == kReportSchema;
}

/// Adds to the places of cells which setting they are.
void nameSettings(std::vector<Difference>& differences, const ordered_json& found) {
    const ordered_json& calibration = calibrationOf(found);
    if (!calibration.contains("cells") || !calibration["cells"].is_array()) {
        return;
    }
    const ordered_json& cells = calibration["cells"];
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ordered_json& cell = cells[i];
        std::string setting;
        for (const auto& [key, symbol] :
             {std::pair{"epsilon", "ε"}, std::pair{"lambda", "λ"}, std::pair{"gamma", "γ"}}) {
            if (cell.contains(key) && cell[key].is_number()) {
                setting += fmt::format("{}{} = {}", setting.empty() ? "" : ", ", symbol,
                                       formatNumber(cell[key].get<double>()));
            }
        }
        for (Difference& difference : differences) {
            for (const char* list : {"cells", "guarantee"}) {
                if (difference.place.find(fmt::format("{}[{}]", list, i)) != std::string::npos) {
                    difference.place += fmt::format(" ({})", setting);
                    break;
                }
            }
        }
    }
}

}  // namespace

Result<std::vector<Difference>> compareDocuments(std::string_view stored, std::string_view found) {
    ASSIGN_OR_RETURN(const auto first, document::parseDocument(stored));
    ASSIGN_OR_RETURN(const auto second, document::parseDocument(found));
    std::vector<Difference> differences;
    const bool sameVersion = versionOf(first) == versionOf(second);
    Comparison(differences, sameVersion).compare(first, second, {});
    nameSettings(differences, second);
    return differences;
}

Result<std::string> statementsLeftOut(std::string_view stored, std::string_view found) {
    ASSIGN_OR_RETURN(const auto first, document::parseDocument(stored));
    ASSIGN_OR_RETURN(const auto second, document::parseDocument(found));
    if (!isReport(first)) {
        return std::string();
    }
    if (!first.contains(kStatements)) {
        return std::string("absent");
    }
    return versionOf(first) == versionOf(second)
               ? std::string()
               : fmt::format("written by version {}", versionOf(first));
}

Result<Repetition> readRepetition(std::string_view json) {
    const auto document = document::parseDocument(json);
    if (!document) {
        return tl::unexpected(document.error());
    }
    std::optional<Error> problem;
    const document::JsonNode whole(*document, {}, problem);
    Repetition repetition;
    const bool report = isReport(*document);
    document::checkSchema(whole, report ? kReportSchema : document::kCalibrationSchema);
    const document::JsonNode calibration = report ? whole.at("calibration") : whole;
    if (report) {
        document::checkSchema(calibration, document::kCalibrationSchema);
        repetition.settings = document::readReportSettings(whole.at("report"));
    }
    repetition.sha256 = calibration.at("embedding").at("sha256").text(64);
    repetition.file = calibration.at("embedding").at("file").text(document::kLongestPath);
    repetition.selection = document::findSelection(calibration.at("run"));
    const bool partial = calibration.at("run").at("partial").boolean();
    if (!problem && !calibration.find("repeat")) {
        calibration.complain(
            "it does not hold what the run was asked for (\"repeat\"); make it "
            "anew with this version");
    }
    repetition.hasPlane = calibration.find("plane").has_value();
    repetition.request = document::readRequest(calibration.at("repeat"));
    if (problem) {
        return tl::unexpected(std::move(*problem));
    }
    if (partial) {
        return fail(ErrorCode::unsupported,
                    "the calibration is partial: a cancelled run cannot be repeated exactly; run "
                    "it to its end first");
    }
    return repetition;
}

}  // namespace epsilens::report
