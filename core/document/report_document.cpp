#include "core/document/report_document.h"

#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/document/calibration_document.h"
#include "core/document/comparison.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

ordered_json jsonFigures(const std::vector<FigureFinding>& figures) {
    ordered_json json = ordered_json::array();
    for (const FigureFinding& figure : figures) {
        ordered_json entry;
        entry["limit"] = evaluation::limitText(figure.limit);
        if (figure.check) {
            entry["value"] = jsonNumber(figure.check->figure.value);
            entry["met"] = figure.met();
        } else {
            entry["met"] = nullptr;
        }
        json.push_back(std::move(entry));
    }
    return json;
}

ordered_json jsonFindings(const Report& report, const calibration::Findings& findings) {
    ordered_json json;
    json["cell"] = jsonOrNull(findings.cell);
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
    if (!report.settings.figureLimits.empty()) {
        json["figureLimits"] = jsonFigures(figureFindings(report, findings));
    }
    json["odds"] = ordered_json::array();
    for (const calibration::Findings::Odds& odds : findings.odds) {
        ordered_json entry;
        entry["words"] = {odds.pair.first, odds.pair.second};
        entry["distance"] = jsonNumber(odds.pair.distance);
        entry["factor"] = jsonNumber(odds.factor);
        json["odds"].push_back(std::move(entry));
    }
    return json;
}

constexpr std::size_t kMostEvaluations = 1'000;
constexpr auto kSettings = objectOf([](auto& json, auto& settings) {
    kReportSettings.describe(json, settings);
    kLimits.describe(json, settings);
});

/// Complains about a finding that does not follow from the rest of the report. Where nothing can be
/// found, because the choice is not among the settings, whoever uses the report says so.
void checkFindings(const JsonNode& document, const Report& report) {
    const auto findings = findingsOf(report);
    const auto stored = document.find("findings");
    if (!findings || !stored) {
        return;
    }
    demandFollows(*stored, *stored, jsonFindings(report, *findings));
}

}  // namespace

Result<ReportSettings::Answer> parseAnswer(std::string_view name) {
    return valueIn(kAnswer.names, name);
}

std::string settingsKey(const ReportSettings& settings) {
    return jsonLine(kSettings.write(settings));
}

std::vector<FigureFinding> figureFindings(const std::vector<evaluation::FigureLimit>& limits,
                                          const calibration::Cell* cell,
                                          const std::vector<const EvaluationRecord*>& evaluations) {
    // A figure that does not exist meets nothing, but what is missed is missed.
    const auto marginOf = [](const evaluation::FigureCheck& check) {
        return std::isnan(check.margin) ? -std::numeric_limits<double>::min() : check.margin;
    };
    std::vector<FigureFinding> found;
    for (const evaluation::FigureLimit& limit : limits) {
        FigureFinding& finding = found.emplace_back(FigureFinding{limit});
        if (cell == nullptr) {
            continue;
        }
        for (const EvaluationRecord* evaluation : evaluations) {
            const auto figure = figureOf(evaluation->summary, *cell, limit.figure);
            if (!figure) {
                continue;
            }
            const evaluation::FigureCheck check = evaluation::checkFigure(limit, *figure);
            if (!finding.check || marginOf(check) < marginOf(*finding.check)) {
                finding.check = check;
            }
        }
    }
    return found;
}

std::vector<FigureFinding> figureFindings(const Report& report,
                                          const calibration::Findings& findings) {
    std::vector<const EvaluationRecord*> evaluations;
    for (const EvaluationRecord& evaluation : report.evaluations) {
        evaluations.push_back(&evaluation);
    }
    return figureFindings(report.settings.figureLimits,
                          findings.cell ? &report.run.summary->cells[*findings.cell] : nullptr,
                          evaluations);
}

LimitCounts countLimits(std::span<const calibration::LimitCheck> words,
                        std::span<const FigureFinding> texts) {
    LimitCounts counts{words.size() + texts.size()};
    for (const calibration::LimitCheck& check : words) {
        ++(check.met() ? counts.met : counts.missed);
    }
    for (const FigureFinding& finding : texts) {
        counts.met += finding.met() ? 1U : 0U;
        counts.missed += finding.missed() ? 1U : 0U;
    }
    return counts;
}

Result<calibration::Findings> findingsOf(const Report& report) {
    return calibration::findingsOf(report.run, report.settings.limits, report.settings.choice);
}

Result<std::vector<calibration::Example>> examplesOfChoice(const Report& report,
                                                           std::span<const std::string> texts,
                                                           const engine::SearchSpace& space,
                                                           const JobContext& job) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    if (!findings.cell) {
        return std::vector<calibration::Example>{};
    }
    const calibration::CalibrationSummary& summary = *report.run.summary;
    ASSIGN_OR_RETURN(auto examples,
                     calibration::examplesOf(space, summary.grid.mechanism,
                                             std::span(summary.cells).subspan(*findings.cell, 1),
                                             texts, summary.seed, job));
    return std::move(examples.front());
}

Result<ordered_json> reportDocument(const Report& report) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    FieldWriter json;
    json.schema(kReportSchema);
    json.field("version", calibration::programVersion(), kText);
    json.field("build", calibration::buildDescription(), kText);
    json.field("report", report.settings, kSettings);
    json.fieldIf(!report.examples.empty(), "examples", report.examples, kExamples);
    json.put("findings", jsonFindings(report, findings));
    json.put("calibration", calibrationDocument(report.run));
    if (!report.evaluations.empty()) {
        ordered_json evaluations = ordered_json::array();
        for (const EvaluationRecord& evaluation : report.evaluations) {
            evaluations.push_back(evaluationDocument(evaluation));
        }
        json.put("evaluations", std::move(evaluations));
    }
    return std::move(json).json();
}

Result<std::string> reportJson(const Report& report) {
    return reportDocument(report).map(jsonText);
}

Report readReport(const JsonNode& document) {
    FieldReader json(document);
    json.schema(kReportSchema);
    Report report;
    json.field("report", report.settings, kSettings);
    json.fieldIf(!report.examples.empty(), "examples", report.examples, kExamples);
    report.run = readCalibration(document.at("calibration"));
    if (const auto evaluations = document.find("evaluations")) {
        evaluations->eachItem(kMostEvaluations, [&](const JsonNode& node) {
            report.evaluations.push_back(readEvaluation(node));
            if (const auto belongs = checkBelongs(report.evaluations.back(), report.run);
                !belongs) {
                node.complain(belongs.error().message);
            }
        });
    }
    checkFindings(document, report);
    return report;
}

Result<Report> readReport(std::string_view json) {
    ASSIGN_OR_RETURN(const auto document, parseJson(json));
    return readDocument(document, [](const JsonNode& node) { return readReport(node); });
}

}  // namespace epsilens::document
