#include "core/report/report_json.h"

#include <nlohmann/json.hpp>

#include "core/report/calibration_json.h"
#include "core/report/json_parts.h"

namespace epsilens::report {
namespace {

using nlohmann::ordered_json;

ordered_json jsonFindings(const Findings& findings) {
    ordered_json json;
    json["cell"] = findings.cell ? ordered_json(*findings.cell) : ordered_json(nullptr);
    json["limits"] = ordered_json::array();
    for (const calibration::LimitCheck& check : findings.limits) {
        ordered_json entry;
        entry["limit"] = calibration::limitText(check.limit);
        entry["value"] = jsonNumber(check.value);
        entry["bound"] = jsonNumber(check.bound);
        entry["met"] = check.met();
        json["limits"].push_back(std::move(entry));
    }
    json["odds"] = ordered_json::array();
    for (const Findings::Odds& odds : findings.odds) {
        ordered_json entry;
        entry["words"] = {odds.pair.first, odds.pair.second};
        entry["distance"] = jsonNumber(odds.pair.distance);
        entry["factor"] = jsonNumber(odds.factor);
        json["odds"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace

Result<std::string> reportJson(const Report& report) {
    const auto findings = findingsOf(report);
    if (!findings) {
        return tl::unexpected(findings.error());
    }
    ordered_json json;
    json["schema"] = kReportSchema;
    json["version"] = programVersion();
    json["build"] = buildDescription();
    json["report"] = jsonReportSettings(report.settings);
    json["findings"] = jsonFindings(*findings);
    json["calibration"] = calibrationDocument(report.record.run, *report.record.summary);
    return jsonText(json);
}

Result<Report> readReport(std::string_view json) {
    const auto document = parseDocument(json);
    if (!document) {
        return tl::unexpected(document.error());
    }
    std::optional<Error> problem;
    const JsonNode node(*document, {}, problem);
    checkSchema(node, kReportSchema);
    Report report{readReportSettings(node.at("report")), readCalibration(node.at("calibration"))};
    if (problem) {
        return tl::unexpected(std::move(*problem));
    }
    return report;
}

}  // namespace epsilens::report
