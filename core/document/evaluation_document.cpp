#include "core/document/evaluation_document.h"

#include <cmath>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using experiment::ClassifierResults;
using experiment::Estimate;
using experiment::EvaluationSummary;
using nlohmann::ordered_json;

ordered_json jsonInterval(const Estimate& estimate) {
    return estimate.ci95 ? ordered_json(*estimate.ci95) : ordered_json(nullptr);
}

ordered_json jsonEstimate(const Estimate& estimate) {
    return {{"mean", jsonNumber(estimate.mean)}, {"ci95", jsonInterval(estimate)}};
}

ordered_json jsonResults(const ClassifierResults& results, bool isSetting) {
    ordered_json json = ordered_json::object();
    for (const experiment::Measure measure : experiment::kMeasures) {
        const Estimate& estimate = results.of(measure);
        if (std::isnan(estimate.mean)) {
            json[experiment::measureName(measure)] = nullptr;
            continue;
        }
        ordered_json& entry = json[experiment::measureName(measure)] = jsonEstimate(estimate);
        entry["repeats"] = ordered_json::array();
        for (const experiment::Scores& scores : results.repeats) {
            entry["repeats"].push_back(jsonNumber(scores.at(static_cast<std::size_t>(measure))));
        }
    }
    if (isSetting) {
        json["retained"] =
            results.retained ? jsonEstimate(*results.retained) : ordered_json(nullptr);
    }
    return json;
}

ordered_json jsonClassify(const EvaluationSummary& summary,
                          const std::vector<ClassifierResults>& results, bool isSetting) {
    ordered_json json = ordered_json::object();
    for (std::size_t i = 0; i < results.size(); ++i) {
        json[experiment::classifierName(summary.options.classifiers[i])] =
            jsonResults(results[i], isSetting);
    }
    return json;
}

ordered_json jsonSetting(const EvaluationSummary& summary, const experiment::EvaluationCell& cell) {
    return {{"epsilon", cell.epsilon},
            {"lambda", jsonLambda(summary.options.grid.mechanism, cell.lambda)},
            {"gamma", jsonNumber(cell.gamma)},
            {"beta", jsonNumber(cell.beta)}};
}

ordered_json jsonData(const experiment::DataDescription& data) {
    return {
        {"file", data.file},
        {"columns", data.columns},
        {"documents", data.documents},
        {"duplicates", data.duplicates},
        {"badRows", data.badRows},
        {"tokens", data.tokens},
        {"knownTokens", data.knownTokens},
        {"replacedTokens", data.replacedTokens},
        {"classes", data.classes},
        {"positive", data.positive.empty() ? ordered_json(nullptr) : ordered_json(data.positive)},
        {"ownSplit", data.hasOwnSplit},
        {"trainingDocuments", data.trainingDocuments},
        {"testDocuments", data.testDocuments}};
}

ordered_json jsonRun(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    const experiment::EvaluationOptions& options = summary.options;
    return {{"repeats", summary.repeats},
            {"repeatsAsked", options.repeats},
            {"seed", options.seed},
            {"partial", summary.partial},
            {"testText", options.perturbTest ? "perturbed" : "original"},
            {"unknown", release::unknownPolicyName(options.policies.unknown)},
            {"case", text::casePolicyName(options.policies.letterCase)},
            {"stopWords", options.policies.stopWords ? options.policies.stopWords->size() : 0},
            {"cost", jsonNumber(options.cost)},
            {"margin", options.margin},
            {"substitutions", summary.substitutions},
            {"threads", options.threads},
            {"seconds",
             {{"load", record.provenance.loadSeconds},
              {"prepare", record.provenance.prepareSeconds},
              {"perturb", summary.perturbSeconds},
              {"classify", summary.classifySeconds}}},
            {"peakMemoryMiB", record.provenance.peakMemoryMiB}};
}

ordered_json jsonDifferences(const EvaluationSummary& summary) {
    ordered_json list = ordered_json::array();
    for (const experiment::SettingsCompared& compared : summary.differences) {
        const experiment::Difference& accuracy = compared.accuracy;
        list.push_back({{"classifier", experiment::classifierName(
                                           summary.options.classifiers[compared.classifier])},
                        {"first", jsonSetting(summary, summary.cells[compared.first])},
                        {"second", jsonSetting(summary, summary.cells[compared.second])},
                        {"accuracy", jsonEstimate(accuracy.difference)},
                        {"pDifferent", accuracy.pDifferent},
                        {"pWithinMargin", accuracy.pWithinMargin},
                        {"verdict", verdictName(accuracy.verdict)}});
    }
    return list;
}

}  // namespace

std::string_view verdictName(experiment::Verdict verdict) {
    switch (verdict) {
        case experiment::Verdict::different:
            return "different";
        case experiment::Verdict::withinMargin:
            return "withinMargin";
        case experiment::Verdict::undecided:
            break;
    }
    return "undecided";
}

std::string evaluationJson(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    const mechanism::Mechanism& mechanism = summary.options.grid.mechanism;
    ordered_json json;
    json["schema"] = kEvaluationSchema;
    json["version"] = record.provenance.version;
    json["embedding"] = jsonEmbedding(record.provenance.embedding);
    json["mechanism"] = jsonMechanism(mechanism, mechanism.isExact());
    json["guarantee"] = ordered_json::array();
    for (const mechanism::Guarantee& guarantee : summary.guarantees) {
        json["guarantee"].push_back(jsonGuarantee(mechanism, guarantee));
    }
    json["data"] = jsonData(summary.data);
    json["run"] = jsonRun(record);
    for (const auto& [name, results] :
         {std::pair("original", &summary.original), std::pair("ceiling", &summary.ceiling),
          std::pair("floor", &summary.floor)}) {
        json[name] = {{"classify", jsonClassify(summary, *results, false)}};
    }
    json["majority"] = summary.majority;
    json["cells"] = ordered_json::array();
    for (const experiment::EvaluationCell& cell : summary.cells) {
        ordered_json entry = jsonSetting(summary, cell);
        entry["classify"] = jsonClassify(summary, cell.classify, true);
        json["cells"].push_back(std::move(entry));
    }
    json["differences"] = jsonDifferences(summary);
    return jsonText(json);
}

}  // namespace epsilens::document
