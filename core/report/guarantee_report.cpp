#include "core/report/guarantee_report.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/json_parts.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"
#include "core/report/report_text.h"

namespace epsilens::report {
namespace {

using document::jsonNumber;
using embedding::Row;
using embedding::Vocabulary;
using nlohmann::ordered_json;

PairOdds pairOdds(const mechanism::GuaranteedSetting& setting, const RowMatrixF& vectors, Row first,
                  Row second) {
    PairOdds pair;
    pair.first = first;
    pair.second = second;
    pair.distance = setting.distance(first, second);
    pair.euclidean =
        (vectors.row(first).cast<double>() - vectors.row(second).cast<double>()).norm();
    pair.loss = mechanism::pairLoss(setting.guarantee, pair.distance);
    return pair;
}

ordered_json jsonEntry(const GuaranteeReport& report, const GuaranteeEntry& entry,
                       const Vocabulary& vocabulary) {
    ordered_json json = document::jsonGuarantee(report.mechanism, entry.guarantee);
    const auto& cap = entry.guarantee.cap;
    json["sentence"] = mechanism::guaranteeSentence(entry.guarantee);
    json["capOdds"] = cap ? jsonNumber(std::exp(*cap)) : ordered_json(nullptr);
    json["radius"] = {{"odds", jsonNumber(report.odds)}, {"distance", jsonNumber(entry.radius)}};
    json["pairs"] = ordered_json::array();
    for (const PairOdds& pair : entry.pairs) {
        json["pairs"].push_back({{"first", vocabulary.word(pair.first)},
                                 {"second", vocabulary.word(pair.second)},
                                 {"distance", jsonNumber(pair.distance)},
                                 {"euclideanDistance", jsonNumber(pair.euclidean)},
                                 {"loss", jsonNumber(pair.loss)},
                                 {"odds", jsonNumber(std::exp(pair.loss))}});
    }
    return json;
}

/// How far the promise reaches: within a distance, and for any two words where there is a cap.
void sayReach(Section& section, const GuaranteeReport& report, const GuaranteeEntry& entry) {
    // Infinite where the cap is the smaller.
    section.say(std::isinf(entry.radius)
                    ? ""
                    : fmt::format("The odds of words within distance {} change by at most ×{}.",
                                  formatAtLeast(entry.radius, 4), formatAtMost(report.odds, 4)));
    if (const auto& cap = entry.guarantee.cap) {
        section.say(fmt::format("The odds of any two words change by at most {}.",
                                std::exp(*cap) <= kLargestUsefulFactor
                                    ? "×" + factorAtMost(std::exp(*cap))
                                    : fmt::format("e^{}: no useful bound", formatAtMost(*cap, 4))));
    }
}

Section entrySection(const GuaranteeReport& report, const GuaranteeEntry& entry,
                     const Vocabulary& vocabulary) {
    const mechanism::Guarantee& guarantee = entry.guarantee;
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
    sayReach(section, report, entry);
    Table table{"", {"w", {"w'", Align::left}, "d", "Euclidean", "loss", "odds"}, {}};
    for (const PairOdds& pair : entry.pairs) {
        table.rows.push_back(
            {std::string(vocabulary.word(pair.first)), std::string(vocabulary.word(pair.second)),
             formatSignificant(pair.distance, 4), formatSignificant(pair.euclidean, 4),
             formatAtMost(pair.loss, 4), oddsAtMost(pair.loss)});
    }
    if (!table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

}  // namespace

Result<GuaranteeEntry> describeGuarantee(const mechanism::GuaranteedSetting& setting,
                                         const RowMatrixF& vectors,
                                         const std::vector<RowPair>& pairs, double odds) {
    GuaranteeEntry entry;
    entry.guarantee = setting.guarantee;
    ASSIGN_OR_RETURN(entry.radius, mechanism::protectionRadius(setting.guarantee, odds));
    for (const auto& [first, second] : pairs) {
        entry.pairs.push_back(pairOdds(setting, vectors, first, second));
    }
    return entry;
}

ordered_json guaranteeJson(const GuaranteeReport& report, const Vocabulary& vocabulary) {
    ordered_json json{
        {"schema", "epsilens.guarantee/1"},
        {"version", report.provenance.version},
        {"embedding", document::jsonEmbedding(report.provenance.embedding)},
        {"mechanism", document::jsonMechanism(report.mechanism, report.mechanism.isExact())},
        {"guarantees", ordered_json::array()},
        {"notCovered", mechanism::notCovered()}};
    for (const GuaranteeEntry& entry : report.entries) {
        json["guarantees"].push_back(jsonEntry(report, entry, vocabulary));
    }
    return json;
}

std::string guaranteeText(const GuaranteeReport& report, const Vocabulary& vocabulary) {
    ReportContent content{runTitle(report.provenance), {}, {}};
    for (const GuaranteeEntry& entry : report.entries) {
        content.sections.push_back(entrySection(report, entry, vocabulary));
    }
    content.sections.push_back(
        {"",
         "",
         {Paragraph{fmt::format("Not covered: {}.", fmt::join(mechanism::notCovered(), "; "))}}});
    return reportText(content);
}

}  // namespace epsilens::report
