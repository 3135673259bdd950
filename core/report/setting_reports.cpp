#include "core/report/setting_reports.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/calibration/summary.h"
#include "core/document/json_parts.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::OutputClass;
using calibration::OutputDistribution;
using document::jsonNumber;
using document::jsonOrNull;
using embedding::Embedding;
using embedding::Vocabulary;
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
                    guarantee.statement)};
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
    Table table{"", {"w", {"w'", Align::left}, "d", "Euclidean", "loss", "odds"}};
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

double share(int count, int draws) {
    return static_cast<double>(count) / static_cast<double>(draws);
}

std::string_view outputClassName(OutputClass outputClass) {
    return outputClass == OutputClass::kept   ? "kept"
           : outputClass == OutputClass::near ? "near"
                                              : "far";
}

/// Words of a sampled sentence that differ from the text.
std::size_t changedWords(const text::TokenisedText& text, const std::vector<Row>& sentence) {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const std::optional<Row>& row = text.words[i].row;
        changed += row && *row != sentence[i] ? 1U : 0U;
    }
    return changed;
}

/// The text with changed words as *word* and unknown words as [word?].
std::string markedSentence(const text::TokenisedText& text, const Vocabulary& vocabulary,
                           const std::vector<Row>& sentence) {
    const text::RenderedText rendered = text::renderRows(text, vocabulary, sentence);
    const std::string_view whole = rendered.text;
    std::string marked;
    std::size_t position = 0;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const text::TextRange range = rendered.words[i];
        const std::optional<Row>& row = text.words[i].row;
        const bool isChanged = row && *row != sentence[i];
        const auto [before, behind] = !row        ? std::pair("[", "?]")
                                      : isChanged ? std::pair("*", "*")
                                                  : std::pair("", "");
        marked += fmt::format("{}{}{}{}", whole.substr(position, range.begin - position), before,
                              range.of(whole), behind);
        position = range.end;
    }
    return marked + std::string(whole.substr(position));
}

ordered_json wordOrNull(const Vocabulary& vocabulary, const std::optional<Row>& row) {
    return row && *row != text::kAsTyped ? ordered_json(vocabulary.word(*row))
                                         : ordered_json(nullptr);
}

ordered_json jsonSentence(const SampleReport& report, const Vocabulary& vocabulary,
                          const std::vector<Row>& sentence) {
    ordered_json json{{"text", text::renderRows(report.text, vocabulary, sentence).text},
                      {"changed", changedWords(report.text, sentence)},
                      {"words", ordered_json::array()}};
    for (const Row row : sentence) {
        json["words"].push_back(wordOrNull(vocabulary, row));
    }
    return json;
}

ordered_json jsonDistribution(const OutputDistribution& distribution, Row row, std::size_t top,
                              const Vocabulary& vocabulary) {
    ordered_json json{{"word", vocabulary.word(row)},
                      {"row", row},
                      {"nw", distribution.kept},
                      {"sw", distribution.distinct()},
                      {"kept", share(distribution.kept, distribution.draws)},
                      {"near", share(distribution.near, distribution.draws)},
                      {"far", share(distribution.far, distribution.draws)},
                      {"top", ordered_json::array()}};
    for (std::size_t i = 0; i < std::min(top, distribution.outputs.size()); ++i) {
        const OutputDistribution::Output& output = distribution.outputs[i];
        json["top"].push_back({{"word", vocabulary.word(output.row)},
                               {"row", output.row},
                               {"count", output.count},
                               {"share", share(output.count, distribution.draws)},
                               {"class", outputClassName(output.outputClass)}});
    }
    return json;
}

ordered_json jsonSetting(const SampleReport& report, const SampledSetting& setting,
                         const Vocabulary& vocabulary) {
    ordered_json json{{"epsilon", document::jsonNumber(setting.guarantee.epsilon)},
                      {"lambda", document::jsonLambda(report.mechanism, report.mechanism.lambda())},
                      {"sentences", ordered_json::array()},
                      {"words", ordered_json::array()}};
    for (const std::vector<Row>& sentence : setting.sentences) {
        json["sentences"].push_back(jsonSentence(report, vocabulary, sentence));
    }
    for (std::size_t i = 0; i < setting.distributions.size(); ++i) {
        json["words"].push_back(jsonDistribution(setting.distributions[i], report.distinctWords[i],
                                                 report.topOutputs, vocabulary));
    }
    return json;
}

/// Of no hit what the draws still allow at 95%.
std::string shareText(int count, int draws) {
    if (count == 0) {
        return fmt::format(
            "≤ {}%", formatNumber(roundedUp(100.0 * calibration::largestShareOfNone(draws), 2)));
    }
    return fmt::format("{:.0f}%", 100.0 * share(count, draws));
}

Table wordTable(const SampleReport& report, const SampledSetting& setting,
                const Vocabulary& vocabulary) {
    Table table{
        "", {"word", "kept", "near", "far", "N_w", "S_w", {"most frequent outputs", Align::left}}};
    for (std::size_t i = 0; i < setting.distributions.size(); ++i) {
        const OutputDistribution& distribution = setting.distributions[i];
        const int draws = distribution.draws;
        std::vector<std::string> top;
        for (const OutputDistribution::Output& output : distribution.outputs) {
            if (top.size() < report.topOutputs) {
                top.push_back(fmt::format("{} {:.0f}% {}", vocabulary.word(output.row),
                                          100.0 * share(output.count, draws),
                                          outputClassName(output.outputClass)));
            }
        }
        table.rows.push_back(
            {std::string(vocabulary.word(report.distinctWords[i])),
             shareText(distribution.kept, draws), shareText(distribution.near, draws),
             shareText(distribution.far, draws), fmt::format("{}", distribution.kept),
             fmt::format("{}", distribution.distinct()), fmt::format("{}", fmt::join(top, ", "))});
    }
    return table;
}

Section settingSection(const SampleReport& report, const SampledSetting& setting,
                       const Vocabulary& vocabulary) {
    const mechanism::Guarantee& guarantee = setting.guarantee;
    Section section{
        "", fmt::format("ε = {}{}, guarantee {} ({})", formatNumber(guarantee.epsilon),
                        guarantee.gamma ? ", γ = " + formatSignificant(*guarantee.gamma, 4) : "",
                        guarantee.statement, guarantee.scope)};
    Table sentences{"", {"", {"sentence", Align::left}, "changed"}};
    for (const std::vector<Row>& sentence : setting.sentences) {
        sentences.rows.push_back(
            {fmt::format("{}", sentences.rows.size() + 1),
             markedSentence(report.text, vocabulary, sentence),
             fmt::format("{} of {}", changedWords(report.text, sentence),
                         report.text.words.size() - report.text.unknownWords())});
    }
    section.blocks.emplace_back(std::move(sentences));
    if (report.topOutputs > 0 && !setting.distributions.empty()) {
        section.blocks.emplace_back(wordTable(report, setting, vocabulary));
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
    ReportContent content{runTitle(report.provenance)};
    for (const GuaranteedSetting& setting : report.settings) {
        content.sections.push_back(settingSection(report, setting, embedding));
    }
    content.sections.push_back(
        {"",
         "",
         {Paragraph{fmt::format("Not covered: {}.", fmt::join(mechanism::notCovered(), "; "))}}});
    return reportText(content);
}

ordered_json sampleJson(const SampleReport& report, const Vocabulary& vocabulary) {
    ordered_json json{{"schema", "epsilens.sample/1"},
                      {"version", report.provenance.version},
                      {"embedding", document::jsonEmbedding(report.provenance.embedding)},
                      {"mechanism", document::jsonMechanism(report.mechanism)},
                      {"guarantee", ordered_json::array()},
                      {"run",
                       {{"draws", report.draws},
                        {"seed", report.seed},
                        {"threads", report.threads},
                        {"nearNeighbours", report.nearNeighbours},
                        {"unknownWords", report.text.unknownWords()}}},
                      {"tokens", ordered_json::array()},
                      {"results", ordered_json::array()}};
    json["mechanism"]["exact"] = false;  // sampled, whatever the mechanism
    for (std::size_t i = 0; i < report.text.words.size(); ++i) {
        const std::optional<Row>& row = report.text.words[i].row;
        json["tokens"].push_back({{"text", report.text.spelling(i)},
                                  {"word", wordOrNull(vocabulary, row)},
                                  {"row", jsonOrNull(row)}});
    }
    for (const SampledSetting& setting : report.settings) {
        json["guarantee"].push_back(document::jsonGuarantee(report.mechanism, setting.guarantee));
        json["results"].push_back(jsonSetting(report, setting, vocabulary));
    }
    return json;
}

std::string sampleText(const SampleReport& report, const Vocabulary& vocabulary) {
    const mechanism::Mechanism& mechanism = report.mechanism;
    Section how;
    how.say(fmt::format(
        "{}{}{}, {} draws (R), seed {}; *changed*, [unknown?]; for looking at, not for release",
        mechanism.name(),
        mechanism.isExact() ? fmt::format(", {} metric", metric::metricName(mechanism.metric()))
                            : "",
        mechanism.hasLambda() ? ", λ = " + formatNumber(mechanism.lambda()) : "",
        formatCount(report.draws), report.seed));
    ReportContent content{runTitle(report.provenance), {std::move(how)}};
    for (const SampledSetting& setting : report.settings) {
        content.sections.push_back(settingSection(report, setting, vocabulary));
    }
    return reportText(content);
}

}  // namespace epsilens::report
