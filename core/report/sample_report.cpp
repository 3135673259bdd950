#include "core/report/sample_report.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/markup_text.h"
#include "core/report/report_text.h"

namespace epsilens::report {
namespace {

using embedding::Vocabulary;
using nlohmann::ordered_json;
using statistics::OutputClass;
using statistics::OutputDistribution;

double share(int count, int draws) {
    return static_cast<double>(count) / static_cast<double>(draws);
}

ordered_json jsonTokens(const SampleReport& report, const Vocabulary& vocabulary) {
    ordered_json tokens = ordered_json::array();
    for (std::size_t i = 0; i < report.text.words.size(); ++i) {
        const std::optional<Row>& row = report.text.words[i].row;
        ordered_json token;
        token["text"] = report.text.spelling(i);
        token["word"] = row ? ordered_json(vocabulary.word(*row)) : ordered_json(nullptr);
        token["row"] = row ? ordered_json(*row) : ordered_json(nullptr);
        tokens.push_back(std::move(token));
    }
    return tokens;
}

ordered_json jsonSentence(const SampleReport& report, const Vocabulary& vocabulary,
                          const std::vector<Row>& sentence) {
    ordered_json json;
    json["text"] = text::renderRows(report.text, vocabulary, sentence).text;
    json["changed"] = changedWords(report.text, sentence);
    json["words"] = ordered_json::array();
    for (const Row row : sentence) {
        json["words"].push_back(row == text::kAsTyped ? ordered_json(nullptr)
                                                      : ordered_json(vocabulary.word(row)));
    }
    return json;
}

ordered_json jsonDistribution(const OutputDistribution& distribution, Row row, std::size_t top,
                              const Vocabulary& vocabulary) {
    ordered_json json;
    json["word"] = vocabulary.word(row);
    json["row"] = row;
    json["nw"] = distribution.kept;
    json["sw"] = distribution.distinct();
    json["kept"] = share(distribution.kept, distribution.draws);
    json["near"] = share(distribution.near, distribution.draws);
    json["far"] = share(distribution.far, distribution.draws);
    json["top"] = ordered_json::array();
    for (std::size_t i = 0; i < std::min(top, distribution.outputs.size()); ++i) {
        const OutputDistribution::Output& output = distribution.outputs[i];
        ordered_json entry;
        entry["word"] = vocabulary.word(output.row);
        entry["row"] = output.row;
        entry["count"] = output.count;
        entry["share"] = share(output.count, distribution.draws);
        entry["class"] = outputClassName(output.outputClass);
        json["top"].push_back(std::move(entry));
    }
    return json;
}

ordered_json jsonSetting(const SampleReport& report, const SampledSetting& setting,
                         const Vocabulary& vocabulary) {
    ordered_json json;
    json["epsilon"] = document::jsonNumber(setting.guarantee.epsilon);
    json["lambda"] = document::jsonLambda(report.mechanism, report.mechanism.lambda());
    json["sentences"] = ordered_json::array();
    for (const std::vector<Row>& sentence : setting.sentences) {
        json["sentences"].push_back(jsonSentence(report, vocabulary, sentence));
    }
    json["words"] = ordered_json::array();
    for (std::size_t i = 0; i < setting.distributions.size(); ++i) {
        json["words"].push_back(jsonDistribution(setting.distributions[i], report.distinctWords[i],
                                                 report.topOutputs, vocabulary));
    }
    return json;
}

ordered_json jsonRun(const SampleReport& report) {
    ordered_json json;
    json["draws"] = report.draws;
    json["seed"] = report.seed;
    json["threads"] = report.threads;
    json["nearNeighbours"] = report.nearNeighbours;
    json["unknownWords"] = report.text.unknownWords();
    return json;
}

/// Share with what R draws without a hit still allow at 95% (1 - 0.05^(1/R)).
std::string shareText(int count, int draws) {
    if (count == 0) {
        const double limit = -std::expm1(std::log(0.05) / static_cast<double>(draws));
        return limit < 0.01 ? fmt::format("≤ {}%", formatSignificant(100.0 * limit, 1))
                            : fmt::format("≤ {:.0f}%", 100.0 * limit);
    }
    return fmt::format("{:.0f}%", 100.0 * share(count, draws));
}

std::string topText(const OutputDistribution& distribution, std::size_t top,
                    const Vocabulary& vocabulary) {
    std::string text;
    for (std::size_t i = 0; i < std::min(top, distribution.outputs.size()); ++i) {
        const OutputDistribution::Output& output = distribution.outputs[i];
        text += fmt::format(
            "{}{} {:.0f}% {}", i == 0 ? "" : ", ", printable(vocabulary.word(output.row)),
            100.0 * share(output.count, distribution.draws), outputClassName(output.outputClass));
    }
    return text;
}

std::string wordTable(const SampleReport& report, const SampledSetting& setting,
                      const Vocabulary& vocabulary) {
    Table table{{}, {"word", "kept", "near", "far", "N_w", "S_w", "most frequent outputs"}, {}};
    for (std::size_t i = 0; i < setting.distributions.size(); ++i) {
        const OutputDistribution& distribution = setting.distributions[i];
        table.rows.push_back({std::string(vocabulary.word(report.distinctWords[i])),
                              shareText(distribution.kept, distribution.draws),
                              shareText(distribution.near, distribution.draws),
                              shareText(distribution.far, distribution.draws),
                              fmt::format("{}", distribution.kept),
                              fmt::format("{}", distribution.distinct()),
                              topText(distribution, report.topOutputs, vocabulary)});
    }
    return tableText(table);
}

std::string settingText(const SampleReport& report, const SampledSetting& setting,
                        const Vocabulary& vocabulary) {
    const mechanism::Guarantee& guarantee = setting.guarantee;
    const std::string radius =
        guarantee.gamma ? fmt::format(", γ = {}", formatSignificant(*guarantee.gamma, 4)) : "";
    std::string text =
        fmt::format("\nε = {}{}, guarantee {} ({})\n", formatNumber(guarantee.epsilon), radius,
                    guarantee.statement, guarantee.scope);
    const std::size_t known = report.text.words.size() - report.text.unknownWords();
    for (std::size_t i = 0; i < setting.sentences.size(); ++i) {
        text += fmt::format("{:3}  {}   (changed {} of {})\n", i + 1,
                            markedSentence(report.text, vocabulary, setting.sentences[i]),
                            changedWords(report.text, setting.sentences[i]), known);
    }
    if (report.topOutputs > 0 && !setting.distributions.empty()) {
        text += '\n' + wordTable(report, setting, vocabulary);
    }
    return text;
}

/// Copies text between words, with line ends and tabs as they are and other controls replaced.
void appendBetween(std::string& marked, std::string_view between) {
    std::size_t begin = 0;
    while (begin < between.size()) {
        const std::size_t end = std::min(between.find_first_of("\n\t", begin), between.size());
        marked += printable(between.substr(begin, end - begin));
        if (end < between.size()) {
            marked += between[end];
        }
        begin = end + 1;
    }
}

}  // namespace

std::string_view outputClassName(OutputClass outputClass) {
    switch (outputClass) {
        case OutputClass::kept:
            return "kept";
        case OutputClass::near:
            return "near";
        case OutputClass::far:
            break;
    }
    return "far";
}

std::size_t changedWords(const text::TokenisedText& text, const std::vector<Row>& sentence) {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const std::optional<Row>& row = text.words[i].row;
        changed += row && *row != sentence[i] ? 1U : 0U;
    }
    return changed;
}

std::string markedSentence(const text::TokenisedText& text, const Vocabulary& vocabulary,
                           const std::vector<Row>& sentence) {
    const text::RenderedText rendered = text::renderRows(text, vocabulary, sentence);
    const std::string_view whole = rendered.text;
    std::string marked;
    std::size_t position = 0;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const text::TextRange range = rendered.words[i];
        const std::optional<Row>& row = text.words[i].row;
        appendBetween(marked, whole.substr(position, range.begin - position));
        const bool changed = row && *row != sentence[i];
        marked += !row ? "[" : changed ? "*" : "";
        marked += printable(range.of(whole));
        marked += !row ? "?]" : changed ? "*" : "";
        position = range.end;
    }
    appendBetween(marked, whole.substr(position));
    return marked;
}

ordered_json sampleJson(const SampleReport& report, const Vocabulary& vocabulary) {
    ordered_json json;
    json["schema"] = "epsilens.sample/1";
    json["version"] = report.provenance.version;
    json["embedding"] = document::jsonEmbedding(report.provenance.embedding);
    json["mechanism"] = document::jsonMechanism(report.mechanism, false);
    json["guarantee"] = ordered_json::array();
    for (const SampledSetting& setting : report.settings) {
        json["guarantee"].push_back(document::jsonGuarantee(report.mechanism, setting.guarantee));
    }
    json["run"] = jsonRun(report);
    json["tokens"] = jsonTokens(report, vocabulary);
    json["results"] = ordered_json::array();
    for (const SampledSetting& setting : report.settings) {
        json["results"].push_back(jsonSetting(report, setting, vocabulary));
    }
    return json;
}

std::string sampleText(const SampleReport& report, const Vocabulary& vocabulary) {
    std::string text =
        fmt::format("{}: {} words × {} dimensions\n", printable(report.provenance.embedding.file),
                    formatCount(report.provenance.embedding.words),
                    formatCount(report.provenance.embedding.dimensions));
    text += report.mechanism.name();
    if (report.mechanism.isExact()) {
        text += fmt::format(", {} metric", metric::metricName(report.mechanism.metric()));
    }
    if (report.mechanism.hasLambda()) {
        text += fmt::format(", λ = {}", formatNumber(report.mechanism.lambda()));
    }
    text += fmt::format(
        ", {} draws (R), seed {}; *changed*, [unknown?]; for looking at, not for "
        "release\n",
        formatCount(report.draws), report.seed);
    for (const SampledSetting& setting : report.settings) {
        text += settingText(report, setting, vocabulary);
    }
    return text;
}

}  // namespace epsilens::report
