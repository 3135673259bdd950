#include "core/document/report_document.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/document/calibration_document.h"
#include "core/document/comparison.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parts.h"
#include "core/engine/word_sample.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

ordered_json jsonFindings(const Report& report, const calibration::Findings& findings) {
    FieldWriter json;
    json.field("cell", findings.cell);
    json.field("withinLimits", findings.withinLimits);
    json.field("limits", findings.limits, listOf(objectOf([](auto& entry, auto& check) {
                   entry.field("limit", check.limit, kLimit);
                   entry.field("value", check.value);
                   entry.field("bound", check.bound);
                   entry.field("met", check.met());
               })));
    json.fieldIf(!report.settings.figureLimits.empty(), "figureLimits",
                 figureFindings(report, findings), listOf(objectOf([](auto& entry, auto& figure) {
                     entry.field("limit", figure.limit, kFigureLimit);
                     if (figure.check) {
                         entry.field("value", figure.check->figure.value);
                     }
                     entry.fieldOrNull(figure.check.has_value(), "met", figure.met());
                 })));
    json.field("odds", findings.odds, listOf(objectOf([](auto& entry, auto& odds) {
                   describePair(entry, "words", odds.pair.first, odds.pair.second);
                   entry.field("distance", odds.pair.distance);
                   entry.field("factor", odds.factor);
               })));
    return std::move(json).json();
}

constexpr std::size_t kMostEvaluations = 1'000;
constexpr std::size_t kOthersShown = 3;

constexpr auto kCompared = objectOf([](auto& json, auto& compared) {
    json.field("words", compared.words, Integer{1, kLargestRow});
    json.field("draws", compared.draws, Integer{1, kMostDraws});
    json.field("kept", compared.kept, kShare);
    json.field("rows", compared.rows,
               listOf(objectOf([](auto& entry, auto& row) {
                          entry.field("mechanism", row.mechanism);
                          entry.field("epsilon", row.epsilon, kAboveZero);
                          entry.field("near", row.near, kShare);
                          entry.field("pairLogOdds", row.pairLoss, kAtLeastZero);
                      }),
                      1 + kOthersShown));
});

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
    if (const auto& compared = report.compared;
        compared &&
        (!findings->cell || compared->rows.empty() ||
         compared->rows.front().epsilon != report.run.summary->cells[*findings->cell].epsilon)) {
        document.at("compared").complain("its first row is not the chosen setting");
    }
}

/// The first of the pairs that the findings tell of, as rows.
std::optional<std::pair<embedding::Row, embedding::Row>> firstPair(
    const calibration::Findings& findings, const embedding::Vocabulary& vocabulary) {
    if (findings.odds.empty()) {
        return std::nullopt;
    }
    const auto first = vocabulary.find(findings.odds.front().pair.first);
    const auto second = vocabulary.find(findings.odds.front().pair.second);
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
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

std::string comparedTitle(const mechanism::Mechanism& mechanism) {
    std::string title(mechanism.title());
    const mechanism::Parameters parameters = mechanism.parameters();
    if (parameters.metric && *parameters.metric != metric::Metric::euclidean) {
        title += fmt::format(", {}", metric::metricName(*parameters.metric));
    }
    if (parameters.lambda) {
        title += fmt::format(", λ {}", formatNumber(*parameters.lambda));
    }
    return title;
}

Result<std::vector<calibration::ComparedMechanism>> measureOthers(const Report& report,
                                                                  const engine::SearchSpace& space,
                                                                  int threads,
                                                                  const JobContext& job) {
    constexpr std::int64_t kMostWords = 200;
    constexpr int kMostComparedDraws = 100;
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    if (!findings.cell) {
        return std::vector<calibration::ComparedMechanism>();
    }
    const calibration::CalibrationOptions& run = report.run.request.options;
    const mechanism::Grid& grid = report.run.summary->grid;
    std::vector<mechanism::Mechanism> mechanisms{
        grid.mechanisms().at(*findings.cell / grid.epsilons.size())};
    for (const auto& other : calibration::comparableMechanisms(space.handle())) {
        if (!other.isKindOf(mechanisms.front()) || other.metric() != mechanisms.front().metric()) {
            mechanisms.push_back(other);
        }
    }
    ASSIGN_OR_RETURN(const auto words,
                     calibration::selectWords(run.words, space.embedding().wordCount(), run.seed));
    calibration::MeasurementOptions how;
    how.words = {calibration::WordSelection::Kind::list, 0,
                 engine::sampleWords(words, kMostWords, run.seed)};
    how.draws = std::min(run.draws, kMostComparedDraws);
    how.seed = run.seed;
    how.nearNeighbours = run.nearNeighbours;
    how.threads = threads;
    ASSIGN_OR_RETURN(auto measured, calibration::compareMechanisms(space, mechanisms, how, job));
    if (!measured.front().response) {
        return fail(ErrorCode::unsupported, measured.front().problem);
    }
    return measured;
}

Result<std::optional<ComparedChoice>> compareChoice(
    const Report& report, const std::vector<calibration::ComparedMechanism>& measured,
    const embedding::Vocabulary& vocabulary) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    if (!findings.cell || measured.empty()) {
        return std::optional<ComparedChoice>();
    }
    const double chosen = report.run.summary->cells[*findings.cell].epsilon;
    const calibration::Measurement& own = *measured.front().response;
    const auto pair = firstPair(findings, vocabulary);
    ComparedChoice compared{std::ssize(own.words()), own.options().draws,
                            own.sharesAt(chosen).kept};
    const bool isBetween = compared.kept > 0.0 && compared.kept < 1.0;
    for (const calibration::ComparedMechanism& one : measured) {
        const auto epsilon = &one == &measured.front() ? std::optional(chosen)
                             : one.response && isBetween
                                 ? one.response->epsilonOfKept(compared.kept)
                                 : std::nullopt;
        if (!epsilon) {
            continue;
        }
        const auto guarantee = one.prepared->guarantee(*epsilon);
        if (!guarantee) {
            continue;
        }
        compared.rows.push_back(
            {comparedTitle(one.mechanism), *epsilon, one.response->sharesAt(*epsilon).near,
             pair ? std::optional(mechanism::pairLoss(
                        *guarantee, one.prepared->metric().distance(pair->first, pair->second)))
                  : std::nullopt});
    }
    if (compared.rows.empty()) {
        return std::optional<ComparedChoice>();
    }
    // Nearly equal promises stay in their order, in which capped ones come first.
    std::stable_sort(compared.rows.begin() + 1, compared.rows.end(),
                     [](const auto& a, const auto& b) {
                         return std::round(50.0 * a.pairLoss.value_or(0.0)) <
                                std::round(50.0 * b.pairLoss.value_or(0.0));
                     });
    compared.rows.resize(std::min(compared.rows.size(), 1 + kOthersShown));
    return std::optional(std::move(compared));
}

Result<ordered_json> reportDocument(const Report& report) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    FieldWriter json;
    json.schema(kReportSchema);
    json.field("version", calibration::programVersion());
    json.field("build", calibration::buildDescription());
    json.field("report", report.settings, kSettings);
    json.fieldIf(!report.examples.empty(), "examples", report.examples, kExamples);
    json.put("findings", jsonFindings(report, findings));
    json.fieldIf("compared", report.compared, kCompared);
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
    json.fieldIf("compared", report.compared, kCompared);
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
