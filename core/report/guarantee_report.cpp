#include "core/report/guarantee_report.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using document::jsonNumber;
using embedding::Embedding;
using mechanism::GuaranteedSetting;
using nlohmann::ordered_json;

/// What a setting promises for two words.
struct PairOdds {
    std::string_view first{};
    std::string_view second{};
    double distance = 0.0;  ///< in the guarantee's own metric
    double euclidean = 0.0;
    double loss = 0.0;  ///< largest log ratio for one exchange
};

std::vector<PairOdds> pairOdds(const GuaranteeReport& report, const GuaranteedSetting& setting,
                               const Embedding& embedding) {
    std::vector<PairOdds> odds;
    for (const auto& [first, second] : report.pairs) {
        const double distance = setting.distance(first, second);
        odds.push_back({embedding.vocabulary.word(first), embedding.vocabulary.word(second),
                        distance,
                        (embedding.vectors.row(first).cast<double>() -
                         embedding.vectors.row(second).cast<double>())
                            .norm(),
                        mechanism::pairLoss(setting.guarantee, distance)});
    }
    return odds;
}

/// Distance within which the odds change by at most those of the report; infinite where those of
/// all pairs do.
double radiusOf(const GuaranteeReport& report, const GuaranteedSetting& setting) {
    return mechanism::protectionRadius(setting.guarantee, report.odds).value();
}

ordered_json jsonSetting(const GuaranteeReport& report, const GuaranteedSetting& setting,
                         const Embedding& embedding) {
    const mechanism::Guarantee& guarantee = setting.guarantee;
    ordered_json json = document::jsonGuarantee(report.mechanism, guarantee);
    json["sentence"] = mechanism::guaranteeSentence(guarantee);
    json["capOdds"] = guarantee.cap ? jsonNumber(std::exp(*guarantee.cap)) : ordered_json(nullptr);
    json["radius"] = {{"odds", jsonNumber(report.odds)},
                      {"distance", jsonNumber(radiusOf(report, setting))}};
    json["pairs"] = ordered_json::array();
    for (const PairOdds& pair : pairOdds(report, setting, embedding)) {
        json["pairs"].push_back({{"first", pair.first},
                                 {"second", pair.second},
                                 {"distance", jsonNumber(pair.distance)},
                                 {"euclideanDistance", jsonNumber(pair.euclidean)},
                                 {"loss", jsonNumber(pair.loss)},
                                 {"odds", jsonNumber(std::exp(pair.loss))}});
    }
    return json;
}

Section settingSection(const GuaranteeReport& report, const GuaranteedSetting& setting,
                       const Embedding& embedding) {
    const mechanism::Guarantee& guarantee = setting.guarantee;
    const auto& euclidean = guarantee.euclidean;
    Section section{
        "",
        fmt::format("{}, ε = {}{}: {}", report.mechanism.name(), formatNumber(guarantee.epsilon),
                    report.mechanism.hasLambda() ? ", λ = " + formatNumber(guarantee.lambda) : "",
                    guarantee.statement),
        {}};
    section.say(mechanism::guaranteeSentence(guarantee) + ".");
    section.say(euclidean && guarantee.metric != mechanism::Metric::euclidean
                    ? fmt::format("Euclidean reading: the loss is at most {} times the Euclidean "
                                  "distance (a guarantee); the bound is nowhere less than {} times "
                                  "that distance (no guarantee).",
                                  formatAtMost((*euclidean)[1], 4),
                                  formatAtLeast((*euclidean)[0], 4))
                    : "");
    std::string reach = reachWords(guarantee, report.odds);
    reach.front() = 'T';
    section.say(reach + ".");
    section.say(guarantee.cap && std::isfinite(radiusOf(report, setting))
                    ? fmt::format("The odds of any two words change by at most {}.",
                                  oddsWords(*guarantee.cap))
                    : "");
    Table table{"", {"w", {"w'", Align::left}, "d", "Euclidean", "loss", "odds"}, {}};
    for (const PairOdds& pair : pairOdds(report, setting, embedding)) {
        table.rows.push_back({std::string(pair.first), std::string(pair.second),
                              formatSignificant(pair.distance, 4),
                              formatSignificant(pair.euclidean, 4), formatAtMost(pair.loss, 4),
                              oddsAtMost(pair.loss)});
    }
    if (!table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

}  // namespace

ordered_json guaranteeJson(const GuaranteeReport& report, const Embedding& embedding) {
    ordered_json json{{"schema", "epsilens.guarantee/1"},
                      {"version", report.provenance.version},
                      {"embedding", document::jsonEmbedding(report.provenance.embedding)},
                      {"mechanism", document::jsonMechanism(report.mechanism)},
                      {"guarantees", ordered_json::array()},
                      {"notCovered", mechanism::notCovered()}};
    for (const GuaranteedSetting& setting : report.settings) {
        json["guarantees"].push_back(jsonSetting(report, setting, embedding));
    }
    return json;
}

std::string guaranteeText(const GuaranteeReport& report, const Embedding& embedding) {
    ReportContent content{runTitle(report.provenance), {}, {}};
    for (const GuaranteedSetting& setting : report.settings) {
        content.sections.push_back(settingSection(report, setting, embedding));
    }
    content.sections.push_back(
        {"",
         "",
         {Paragraph{fmt::format("Not covered: {}.", fmt::join(mechanism::notCovered(), "; "))}}});
    return reportText(content);
}

}  // namespace epsilens::report
