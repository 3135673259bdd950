#include "core/document/report_document.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/calibration_document.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"
#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using calibration::Findings;
using nlohmann::ordered_json;

ordered_json jsonFindings(const Findings& findings) {
    ordered_json json;
    json["cell"] = findings.cell ? ordered_json(*findings.cell) : ordered_json(nullptr);
    json["withinLimits"] = findings.withinLimits;
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

constexpr auto kCircumstance = circumstance(kText);
constexpr auto kSettings =
    objectOf([](auto& json, auto& settings) { describeSettings(json, settings); });

}  // namespace

Result<Findings> findingsOf(const Report& report) {
    return calibration::findingsOf(report.run, report.settings.limits, report.settings.choice);
}

Result<ordered_json> reportDocument(const Report& report, Purpose purpose,
                                    ordered_json statements) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    FieldWriter json(purpose);
    json.schema(kReportSchema);
    json.field("version", calibration::programVersion(), kCircumstance);
    json.field("build", calibration::buildDescription(), kCircumstance);
    json.field("report", report.settings, kSettings);
    json.put("findings", jsonFindings(findings));
    json.put("statements", std::move(statements));
    json.put("calibration", calibrationDocument(report.run, purpose));
    return std::move(json).json();
}

Report readReport(const JsonNode& document) {
    FieldReader json(document);
    json.schema(kReportSchema);
    Report report;
    json.field("report", report.settings, kSettings);
    report.run = readCalibration(document.at("calibration"));
    return report;
}

Result<Report> readReport(std::string_view json) {
    ASSIGN_OR_RETURN(const auto document, parseJson(json));
    return readDocument(document, [](const JsonNode& node) { return readReport(node); });
}

}  // namespace epsilens::document
