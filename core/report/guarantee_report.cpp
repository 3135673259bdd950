#include "core/report/guarantee_report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/json_parts.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/markup_text.h"
#include "core/report/odds_text.h"
#include "core/report/report_text.h"

namespace epsilens::report {
namespace {

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

ordered_json jsonPair(const PairOdds& pair, const Vocabulary& vocabulary) {
    ordered_json json;
    json["first"] = vocabulary.word(pair.first);
    json["second"] = vocabulary.word(pair.second);
    json["distance"] = document::jsonNumber(pair.distance);
    json["euclideanDistance"] = document::jsonNumber(pair.euclidean);
    json["loss"] = document::jsonNumber(pair.loss);
    json["odds"] = document::jsonNumber(std::exp(pair.loss));
    return json;
}

ordered_json jsonEntry(const GuaranteeReport& report, const GuaranteeEntry& entry,
                       const Vocabulary& vocabulary) {
    ordered_json json = document::jsonGuarantee(report.mechanism, entry.guarantee);
    json["sentence"] = mechanism::guaranteeSentence(entry.guarantee);
    const auto& cap = entry.guarantee.cap;
    json["capOdds"] = cap ? document::jsonNumber(std::exp(*cap)) : ordered_json(nullptr);
    json["radius"]["odds"] = document::jsonNumber(report.odds);
    json["radius"]["distance"] = document::jsonNumber(entry.radius);
    json["pairs"] = ordered_json::array();
    for (const PairOdds& pair : entry.pairs) {
        json["pairs"].push_back(jsonPair(pair, vocabulary));
    }
    return json;
}

std::string lossText(double loss) {
    return formatAtMost(loss, 4);
}

std::string settingTitle(const mechanism::Mechanism& mechanism,
                         const mechanism::Guarantee& guarantee) {
    const std::string lambda = mechanism.hasLambda()
                                   ? fmt::format(", λ = {}", formatNumber(guarantee.lambda))
                                   : std::string();
    return fmt::format("{}, ε = {}{}: {}\n", mechanism.name(), formatNumber(guarantee.epsilon),
                       lambda, guarantee.statement);
}

std::string euclideanReading(const mechanism::Guarantee& guarantee) {
    if (!guarantee.euclidean || guarantee.metric == mechanism::Metric::euclidean) {
        return {};
    }
    return fmt::format(
        "Euclidean reading: the loss is at most {} times the Euclidean distance (a guarantee); the "
        "bound is nowhere less than {} times that distance (no guarantee).\n",
        formatAtMost((*guarantee.euclidean)[1], 4), formatAtLeast((*guarantee.euclidean)[0], 4));
}

std::string radiusText(const GuaranteeReport& report, const GuaranteeEntry& entry) {
    const std::string odds = formatAtMost(report.odds, 4);
    // Infinite where the cap is the smaller.
    std::string text =
        std::isinf(entry.radius)
            ? std::string()
            : fmt::format("The odds of words within distance {} change by at most ×{}.\n",
                          formatAtLeast(entry.radius, 4), odds);
    if (const auto& cap = entry.guarantee.cap) {
        text += std::exp(*cap) <= kLargestUsefulFactor
                    ? fmt::format("The odds of any two words change by at most ×{}.\n",
                                  factorAtMost(std::exp(*cap)))
                    : fmt::format(
                          "The odds of any two words change by at most e^{}: no useful "
                          "bound.\n",
                          formatAtMost(*cap, 4));
    }
    return text;
}

std::string pairTable(const std::vector<PairOdds>& pairs, const Vocabulary& vocabulary) {
    Table table{{}, {"w", "w'", "d", "Euclidean", "loss", "odds"}, {}};
    for (const PairOdds& pair : pairs) {
        table.rows.push_back(
            {std::string(vocabulary.word(pair.first)), std::string(vocabulary.word(pair.second)),
             formatSignificant(pair.distance, 4), formatSignificant(pair.euclidean, 4),
             lossText(pair.loss), oddsAtMost(pair.loss)});
    }
    return tableText(table);
}

std::string entryText(const GuaranteeReport& report, const GuaranteeEntry& entry,
                      const Vocabulary& vocabulary) {
    const std::string sentence = mechanism::guaranteeSentence(entry.guarantee);
    std::string text = "\n" + settingTitle(report.mechanism, entry.guarantee) + sentence + ".\n" +
                       euclideanReading(entry.guarantee) + radiusText(report, entry);
    if (!entry.pairs.empty()) {
        text += "\n" + pairTable(entry.pairs, vocabulary);
    }
    return text;
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
    ordered_json json;
    json["schema"] = "epsilens.guarantee/1";
    json["version"] = report.provenance.version;
    json["embedding"] = document::jsonEmbedding(report.provenance.embedding);
    json["mechanism"] = document::jsonMechanism(report.mechanism, report.mechanism.isExact());
    json["guarantees"] = ordered_json::array();
    for (const GuaranteeEntry& entry : report.entries) {
        json["guarantees"].push_back(jsonEntry(report, entry, vocabulary));
    }
    json["notCovered"] = ordered_json::array();
    for (const std::string_view item : mechanism::notCovered()) {
        json["notCovered"].push_back(item);
    }
    return json;
}

std::string guaranteeText(const GuaranteeReport& report, const Vocabulary& vocabulary) {
    std::string text = printable(runTitle(report.provenance)) + "\n";
    for (const GuaranteeEntry& entry : report.entries) {
        text += entryText(report, entry, vocabulary);
    }
    text += "\nNot covered: ";
    bool first = true;
    for (const std::string_view item : mechanism::notCovered()) {
        text += fmt::format("{}{}", first ? "" : "; ", item);
        first = false;
    }
    return text + ".\n";
}

}  // namespace epsilens::report
