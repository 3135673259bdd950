#include "core/report/report_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/calibration_document.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"
#include "core/document/json_parts.h"

namespace epsilens::report {
namespace {

using nlohmann::ordered_json;

ordered_json jsonFindings(const Findings& findings) {
    ordered_json json;
    json["cell"] = findings.cell ? ordered_json(*findings.cell) : ordered_json(nullptr);
    json["withinLimits"] = findings.withinLimits;
    json["limits"] = ordered_json::array();
    for (const calibration::LimitCheck& check : findings.limits) {
        ordered_json entry;
        entry["limit"] = calibration::limitText(check.limit);
        entry["value"] = document::jsonNumber(check.value);
        entry["bound"] = document::jsonNumber(check.bound);
        entry["met"] = check.met();
        json["limits"].push_back(std::move(entry));
    }
    json["odds"] = ordered_json::array();
    for (const Findings::Odds& odds : findings.odds) {
        ordered_json entry;
        entry["words"] = {odds.pair.first, odds.pair.second};
        entry["distance"] = document::jsonNumber(odds.pair.distance);
        entry["factor"] = document::jsonNumber(odds.factor);
        json["odds"].push_back(std::move(entry));
    }
    return json;
}

/// The texts of a block; of tables and figures the document holds the numbers.
struct BlockTexts {
    std::vector<std::string> operator()(const Paragraph& paragraph) const {
        return {paragraph.text};
    }
    std::vector<std::string> operator()(const BulletList& list) const { return list.items; }
    std::vector<std::string> operator()(const Facts& facts) const {
        std::vector<std::string> texts;
        for (const auto& [name, value] : facts.items) {
            texts.push_back(fmt::format("{}: {}", name, value));
        }
        return texts;
    }
    template <typename Other>
    std::vector<std::string> operator()(const Other&) const {
        return {};
    }
};

/// What the guarantee is, what it covers and what not, in the words of the other formats. Of the
/// sections that the analyst ticked; the others have their content as data elsewhere.
Result<ordered_json> jsonStatements(Report report) {
    constexpr std::array kStated{document::SectionId::mechanism, document::SectionId::privacyUnit,
                                 document::SectionId::unprotected};
    std::erase_if(report.settings.sections, [&](document::SectionId section) {
        return std::find(kStated.begin(), kStated.end(), section) == kStated.end();
    });
    report.settings.sentences.clear();
    ASSIGN_OR_RETURN(const auto content, composeReport(report));
    ordered_json json = ordered_json::array();
    for (const Section& section : content.sections) {
        ordered_json entry;
        entry["section"] = section.key;
        entry["title"] = section.title;
        entry["sentences"] = ordered_json::array();
        for (const Block& block : section.blocks) {
            for (std::string& text : std::visit(BlockTexts{}, block)) {
                entry["sentences"].push_back(std::move(text));
            }
        }
        json.push_back(std::move(entry));
    }
    return json;
}

constexpr auto kCircumstance = document::circumstance(document::kText);
constexpr auto kSettings = document::objectOf(
    [](auto& json, auto& settings) { document::describeSettings(json, settings); });

}  // namespace

Result<ordered_json> reportDocument(const Report& report, document::Purpose purpose) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    document::FieldWriter json(purpose);
    json.schema(kReportSchema);
    json.field("version", calibration::programVersion(), kCircumstance);
    json.field("build", calibration::buildDescription(), kCircumstance);
    json.field("report", report.settings, kSettings);
    json.put("findings", jsonFindings(findings));
    ASSIGN_OR_RETURN(auto statements, jsonStatements(report));
    json.put("statements", purpose == document::Purpose::comparison ? document::anything()
                                                                    : std::move(statements));
    json.put("calibration",
             document::calibrationDocument(report.record.run, *report.record.summary, purpose));
    return std::move(json).json();
}

Result<std::string> reportJson(const Report& report) {
    return reportDocument(report, document::Purpose::file).map(document::jsonText);
}

Report readReport(const document::JsonNode& document) {
    document::FieldReader json(document);
    json.schema(kReportSchema);
    Report report;
    json.field("report", report.settings, kSettings);
    report.record = document::readCalibration(document.at("calibration"));
    return report;
}

Result<Report> readReport(std::string_view json) {
    ASSIGN_OR_RETURN(const auto document, document::parseJson(json));
    return document::readDocument(document,
                                  [](const document::JsonNode& node) { return readReport(node); });
}

}  // namespace epsilens::report
