#pragma once

#include <cmath>

#include "core/document/descriptions.h"
#include "core/report/comparison_report.h"
#include "core/report/recommendation_report.h"
#include "core/report/setting_reports.h"

/// The JSON of commands that hold nothing but values: written and read by rules of fields.h.
namespace epsilens::report {

/// GuaranteeReport as the document "epsilens.guarantee/1".
inline constexpr auto kGuarantee = document::objectOf([](auto& json, auto& report) {
    using namespace document;
    describeOrigin(json, "epsilens.guarantee/1", report.provenance);
    json.field("mechanism", report.mechanism, kMechanism);
    json.field("guarantees", report.settings, listOf(objectOf([&](auto& entry, auto& setting) {
                   const auto& guarantee = setting.guarantee;
                   const auto& cap = guarantee.cap;
                   guaranteeFields(report.mechanism.hasLambda()).describe(entry, setting.guarantee);
                   entry.put("sentence", mechanism::guaranteeSentence(guarantee));
                   entry.put("capOdds", cap ? std::optional(std::exp(*cap)) : std::nullopt);
                   entry.field("radius", setting, objectOf([&](auto& part, auto& radius) {
                                   part.field("odds", report.odds, kAtLeastZero);
                                   part.field("distance", radius.radius);
                               }));
                   entry.field("pairs", setting.pairs, listOf(objectOf([](auto& part, auto& pair) {
                                   part.field("first", pair.first);
                                   part.field("second", pair.second);
                                   part.field("distance", pair.distance);
                                   part.field("euclideanDistance", pair.euclidean);
                                   part.field("loss", pair.loss);
                                   part.put("odds", std::exp(pair.loss));
                               })));
               })));
    json.put("notCovered", mechanism::notCovered());
});

/// The mechanism of a ComparisonRow; only its radius depends on epsilon.
inline constexpr auto kComparedMechanism = document::objectOf([](auto& json, auto& row) {
    mechanism::Parameters own = row.mechanism.parameters();
    own.metric = row.mechanism.metric();
    json.field("name", row.mechanism, document::MechanismName{});
    json.field("lambda", own.lambda, document::kShare);
    json.field("beta", own.beta, document::kBeta);
    json.field("gamma", row.setting.guarantee.gamma);
    json.field("metric", *own.metric, document::kMetricKey);
    if constexpr (document::kReads<decltype(json)>) {
        row.mechanism = row.mechanism.with(own);
    }
});

/// ComparisonReport as the document "epsilens.compare/1"; what is missing is not read.
inline constexpr auto kComparison = document::objectOf([](auto& json, auto& report) {
    using namespace document;
    describeOrigin(json, "epsilens.compare/1", report.provenance);
    json.field("pair", report.pair, pairOf(kText));
    json.field("run", report, objectOf([](auto& run, auto& measured) {
                   run.field("words", measured.words);
                   run.field("draws", measured.draws);
               }));
    json.field("rows", report.rows, listOf(objectOf([](auto& entry, auto& row) {
                   auto& setting = row.setting;
                   entry.field("mechanism", row, kComparedMechanism);
                   entry.field("kept", row.kept);
                   entry.field("epsilon", setting.epsilon);
                   entry.field("near", setting.shares.near);
                   entry.field("far", setting.shares.far);
                   entry.field("differentOutputs", setting.differentOutputs);
                   entry.field("bound", setting.guarantee.bound);
                   entry.field("cap", setting.guarantee.cap);
                   entry.field("pairDistance", row.pairDistance);
                   entry.fieldOrNull(row.pairDistance.has_value(), "pairLogOdds", row.pairLoss);
                   entry.field("reach10", setting.reach10);
                   entry.field("reach1000000", setting.reachUseful);
                   for (std::size_t i = 0; i < kComparedFigures.size(); ++i) {
                       entry.fieldIf(evaluation::figureText(kComparedFigures[i]), row.figures[i],
                                     kMeasured);
                   }
               })));
    json.put("missing", report.missing, listOf(objectOf([](auto& entry, auto& missing) {
                 entry.put("mechanism", comparedTitle(missing.mechanism));
                 entry.put("reason", missing.reason);
             })));
});

/// evaluation::LimitedRecommendation as the document "epsilens.recommendation/1". Without a best
/// setting it holds an "error" as other failures do. A match of a figure is not read.
template <typename Provenance>
[[nodiscard]] auto recommendationFields(Provenance& provenance, int exitCodeWithoutBest) {
    return document::objectOf([&provenance, exitCodeWithoutBest](auto& json, auto& found) {
        using namespace document;
        std::string match = matchOf(found);
        describeOrigin(json, "epsilens.recommendation/1", provenance);
        json.field("mechanism", found.run.grid.mechanism, kMechanism);
        const auto hasLambda = found.run.grid.mechanism.hasLambda();
        json.field("limits", found, LimitTexts{});
        json.fieldOrNull(!match.empty(), "match", match);
        json.field("objective", found.objective,
                   Named<calibration::objectiveName, calibration::parseObjective>{});
        json.field("run", found.run, runFields(provenance));
        json.field("best", found.best);
        if constexpr (kReads<decltype(json)>) {
            found.matches = !match.empty() && !found.limits.empty();
            found.partial = found.run.partial;
        }
        json.field(
            "settings", found.settings, listOf(objectOf([&](auto& entry, auto& setting) {
                auto& cell = setting.cell;
                entry.put("lambda", hasLambda ? std::optional(cell.lambda) : std::nullopt);
                entry.put("gamma", cell.gamma);
                entry.put("beta", cell.beta);
                entry.field("found", setting.epsilon);
                entry.field("above", setting.above);
                entry.field("binding", setting.binding, kLimitCheck);
                entry.field("searched", setting, objectOf([](auto& part, auto& search) {
                                part.field("from", search.searched.low);
                                part.field("to", search.searched.high);
                                part.field("everywhere", search.everywhere);
                                part.fieldOrNull(!search.everywhere, "epsilons", search.looked);
                            }));
                entry.field("checks", setting.checks, listOf(kLimitCheck));
                entry.fieldOrNull(setting.freshCell.has_value(), "fresh", setting,
                                  objectOf([&](auto& part, auto& fresh) {
                                      part.field("seed", found.freshSeed);
                                      part.field("checks", fresh.freshChecks, listOf(kLimitCheck));
                                      part.field("cell", fresh.freshCell, cellFields(hasLambda));
                                  }));
                if constexpr (kReads<decltype(json)>) {
                    found.figures.resize(found.figureLimits.empty() ? 0 : found.settings.size());
                }
                if (found.figures.empty()) {
                    entry.put("figures", nullptr);
                } else {
                    entry.field(
                        "figures",
                        found.figures[static_cast<std::size_t>(&setting - found.settings.data())],
                        kLimitsFound);
                }
                entry.field("guarantee", setting.guarantee, guaranteeFields(hasLambda));
                entry.field("cell", cell, cellFields(hasLambda));
            })));
        if (!found.best && !found.partial) {
            json.put("error", jsonError({ErrorCode::limitsNotMet, shortfallSentence(found), {}, 0},
                                        exitCodeWithoutBest)["error"]);
        }
    });
}

}  // namespace epsilens::report
