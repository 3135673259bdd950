#include "core/report/sample_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/calibration/summary.h"
#include "core/document/json_parts.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::OutputClass;
using calibration::OutputDistribution;
using document::jsonOrNull;
using embedding::Vocabulary;
using nlohmann::ordered_json;

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
        "",
        {"word", "kept", "near", "far", "N_w", "S_w", {"most frequent outputs", Align::left}},
        {}};
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
        "",
        fmt::format("ε = {}{}, guarantee {} ({})", formatNumber(guarantee.epsilon),
                    guarantee.gamma ? ", γ = " + formatSignificant(*guarantee.gamma, 4) : "",
                    guarantee.statement, guarantee.scope),
        {}};
    Table sentences{"", {"", {"sentence", Align::left}, "changed"}, {}};
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
    ReportContent content{runTitle(report.provenance), {std::move(how)}, {}};
    for (const SampledSetting& setting : report.settings) {
        content.sections.push_back(settingSection(report, setting, vocabulary));
    }
    return reportText(content);
}

}  // namespace epsilens::report
