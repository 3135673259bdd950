#include "core/report/setting_reports.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/calibration/summary.h"
#include "core/document/descriptions.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::OutputClass;
using calibration::OutputDistribution;
using document::listOf;
using document::objectOf;
using embedding::Embedding;
using embedding::Vocabulary;
using nlohmann::ordered_json;

Section settingSection(const GuaranteeReport& report, const GuaranteeReport::Setting& setting) {
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
    section.say(guarantee.cap && std::isfinite(setting.radius)
                    ? fmt::format("The odds of any two words change by at most {}.",
                                  oddsWords(*guarantee.cap))
                    : "");
    Table table{"", {"w", {"w'", Align::left}, "d", "Euclidean", "loss", "odds"}};
    for (const PairOdds& pair : setting.pairs) {
        table.rows.push_back({pair.first, pair.second, formatSignificant(pair.distance, 4),
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
std::string markedSentence(const SampleReport& report, const std::vector<Row>& sentence) {
    const text::TokenisedText& text = report.text;
    const text::RenderedText rendered = text::renderRows(text, report.vocabulary, sentence);
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

/// The most frequent outputs, as many as are listed.
std::span<const OutputDistribution::Output> topOutputs(const SampleReport& report,
                                                       const OutputDistribution& distribution) {
    return std::span(distribution.outputs)
        .first(std::min(report.topOutputs, distribution.outputs.size()));
}

/// A row by its word; null for a word of the text that is not known.
struct WordOfRow {
    const Vocabulary& vocabulary;

    [[nodiscard]] ordered_json write(Row row) const {
        return row == text::kAsTyped ? ordered_json(nullptr) : ordered_json(vocabulary.word(row));
    }
};

auto sentenceFields(const SampleReport& report) {
    return objectOf([&report](auto& json, const std::vector<Row>& sentence) {
        json.field("text", text::renderRows(report.text, report.vocabulary, sentence).text);
        json.field("changed", changedWords(report.text, sentence));
        json.field("words", sentence, listOf(WordOfRow{report.vocabulary}));
    });
}

/// Of the word with that number.
auto distributionFields(const SampleReport& report, const SampledSetting& setting) {
    return objectOf([&](auto& json, const OutputDistribution& distribution) {
        const WordOfRow word{report.vocabulary};
        const int draws = distribution.draws;
        const auto number = static_cast<std::size_t>(&distribution - setting.distributions.data());
        json.field("word", report.distinctWords[number], word);
        json.field("row", report.distinctWords[number]);
        json.field("nw", distribution.kept);
        json.field("sw", distribution.distinct());
        json.field("kept", share(distribution.kept, draws));
        json.field("near", share(distribution.near, draws));
        json.field("far", share(distribution.far, draws));
        json.field("top", topOutputs(report, distribution),
                   listOf(objectOf([&](auto& entry, const OutputDistribution::Output& output) {
                       entry.field("word", output.row, word);
                       entry.field("row", output.row);
                       entry.field("count", output.count);
                       entry.field("share", share(output.count, draws));
                       entry.field("class", outputClassName(output.outputClass));
                   })));
    });
}

/// Of no hit what the draws still allow at 95%.
std::string shareText(int count, int draws) {
    if (count == 0) {
        return fmt::format(
            "≤ {}%", formatNumber(roundedUp(100.0 * calibration::largestShareOfNone(draws), 2)));
    }
    return fmt::format("{:.0f}%", 100.0 * share(count, draws));
}

Table wordTable(const SampleReport& report, const SampledSetting& setting) {
    Table table{
        "", {"word", "kept", "near", "far", "N_w", "S_w", {"most frequent outputs", Align::left}}};
    for (std::size_t i = 0; i < setting.distributions.size(); ++i) {
        const OutputDistribution& distribution = setting.distributions[i];
        const int draws = distribution.draws;
        std::vector<std::string> top;
        for (const OutputDistribution::Output& output : topOutputs(report, distribution)) {
            top.push_back(fmt::format("{} {:.0f}% {}", report.vocabulary.word(output.row),
                                      100.0 * share(output.count, draws),
                                      outputClassName(output.outputClass)));
        }
        table.rows.push_back(
            {std::string(report.vocabulary.word(report.distinctWords[i])),
             shareText(distribution.kept, draws), shareText(distribution.near, draws),
             shareText(distribution.far, draws), fmt::format("{}", distribution.kept),
             fmt::format("{}", distribution.distinct()), fmt::format("{}", fmt::join(top, ", "))});
    }
    return table;
}

Section settingSection(const SampleReport& report, const SampledSetting& setting) {
    const mechanism::Guarantee& guarantee = setting.guarantee;
    Section section{
        "", fmt::format("ε = {}{}, guarantee {} ({})", formatNumber(guarantee.epsilon),
                        guarantee.gamma ? ", γ = " + formatSignificant(*guarantee.gamma, 4) : "",
                        guarantee.statement, guarantee.scope)};
    Table sentences{"", {"", {"sentence", Align::left}, "changed"}};
    for (const std::vector<Row>& sentence : setting.sentences) {
        sentences.rows.push_back(
            {fmt::format("{}", sentences.rows.size() + 1), markedSentence(report, sentence),
             fmt::format("{} of {}", changedWords(report.text, sentence),
                         report.text.words.size() - report.text.unknownWords())});
    }
    section.blocks.emplace_back(std::move(sentences));
    if (report.topOutputs > 0 && !setting.distributions.empty()) {
        section.blocks.emplace_back(wordTable(report, setting));
    }
    return section;
}

}  // namespace

void GuaranteeReport::add(const mechanism::GuaranteedSetting& setting,
                          const std::vector<RowPair>& pairs, const Embedding& embedding) {
    const mechanism::Guarantee& guarantee = setting.guarantee;
    settings.push_back({guarantee, mechanism::protectionRadius(guarantee, odds).value()});
    for (const auto& [first, second] : pairs) {
        const double distance = setting.distance(first, second);
        settings.back().pairs.push_back({std::string(embedding.vocabulary.word(first)),
                                         std::string(embedding.vocabulary.word(second)), distance,
                                         (embedding.vectors.row(first).cast<double>() -
                                          embedding.vectors.row(second).cast<double>())
                                             .norm(),
                                         mechanism::pairLoss(guarantee, distance)});
    }
}

std::string guaranteeText(const GuaranteeReport& report) {
    ReportContent content{runTitle(report.provenance)};
    for (const GuaranteeReport::Setting& setting : report.settings) {
        content.sections.push_back(settingSection(report, setting));
    }
    content.sections.push_back(
        {"",
         "",
         {Paragraph{fmt::format("Not covered: {}.", fmt::join(mechanism::notCovered(), "; "))}}});
    return reportText(content);
}

ordered_json sampleJson(const SampleReport& report) {
    document::FieldWriter json;
    describeOrigin(json, "epsilens.sample/1", report.provenance);
    auto mechanism = document::kMechanism.write(report.mechanism);
    mechanism["exact"] = false;  // sampled, whatever the mechanism
    json.put("mechanism", std::move(mechanism));
    const bool hasLambda = report.mechanism.hasLambda();
    json.field("guarantee", report.settings, listOf(objectOf([&](auto& entry, auto& setting) {
                   document::guaranteeFields(hasLambda).describe(entry, setting.guarantee);
               })));
    json.field("run", report, objectOf([](auto& run, auto& how) {
                   run.field("draws", how.draws);
                   run.field("seed", how.seed);
                   run.field("threads", how.threads);
                   run.field("nearNeighbours", how.nearNeighbours);
                   run.field("unknownWords", how.text.unknownWords());
               }));
    json.field("tokens", report.text.words, listOf(objectOf([&](auto& token, auto& word) {
                   const auto number = static_cast<std::size_t>(&word - report.text.words.data());
                   token.field("text", report.text.spelling(number));
                   token.field("word", word.row, WordOfRow{report.vocabulary});
                   token.field("row", word.row);
               })));
    json.field("results", report.settings, listOf(objectOf([&](auto& entry, auto& setting) {
                   entry.field("epsilon", setting.guarantee.epsilon);
                   entry.field("lambda", report.mechanism.parameters().lambda);
                   entry.field("sentences", setting.sentences, listOf(sentenceFields(report)));
                   entry.field("words", setting.distributions,
                               listOf(distributionFields(report, setting)));
               })));
    return std::move(json).json();
}

std::string sampleText(const SampleReport& report) {
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
        content.sections.push_back(settingSection(report, setting));
    }
    return reportText(content);
}

}  // namespace epsilens::report
