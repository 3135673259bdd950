#include "core/document/evaluation_document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/document/fields.h"
#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using evaluation::ClassifierResults;
using evaluation::Estimate;
using evaluation::EvaluationSummary;
using nlohmann::ordered_json;

ordered_json jsonInterval(const Estimate& estimate) {
    return estimate.ci95 ? ordered_json(*estimate.ci95) : ordered_json(nullptr);
}

ordered_json jsonEstimate(const Estimate& estimate) {
    return {{"mean", jsonNumber(estimate.mean)}, {"ci95", jsonInterval(estimate)}};
}

ordered_json jsonMean(const calibration::Summary& values) {
    return {{"mean", jsonNumber(values.mean)},
            {"ci95", values.ci95 ? ordered_json(*values.ci95) : ordered_json(nullptr)}};
}

ordered_json jsonList(const std::vector<double>& values) {
    ordered_json list = ordered_json::array();
    for (const double value : values) {
        list.push_back(jsonNumber(value));
    }
    return list;
}

ordered_json jsonResults(const ClassifierResults& results, bool isSetting) {
    ordered_json json = ordered_json::object();
    for (const evaluation::Measure measure : evaluation::kMeasures) {
        const Estimate& estimate = results.of(measure);
        if (std::isnan(estimate.mean)) {
            json[evaluation::measureName(measure)] = nullptr;
            continue;
        }
        ordered_json& entry = json[evaluation::measureName(measure)] = jsonEstimate(estimate);
        entry["repeats"] = ordered_json::array();
        for (const evaluation::Scores& scores : results.repeats) {
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
        json[evaluation::classifierName(summary.options.classifiers[i])] =
            jsonResults(results[i], isSetting);
    }
    return json;
}

ordered_json jsonFigure(const attack::Figure& figure) {
    if (figure.kind == attack::Figure::Kind::number) {
        return jsonNumber(figure.value);
    }
    ordered_json json{{"mean", jsonNumber(figure.value)},
                      {"ci95", figure.ci95 ? ordered_json(*figure.ci95) : ordered_json(nullptr)}};
    if (!figure.repeats.empty()) {
        json["repeats"] = jsonList(figure.repeats);
    }
    return json;
}

/// Figures at their paths, one object within the other.
ordered_json jsonFindings(const std::optional<attack::Findings>& findings) {
    if (!findings) {
        return nullptr;
    }
    ordered_json json = ordered_json::object();
    for (const attack::Figure& figure : findings->figures) {
        std::string pointer = "/" + figure.path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        json[ordered_json::json_pointer(pointer)] = jsonFigure(figure);
    }
    if (!findings->chosen.empty()) {
        json["chosen"] = findings->chosen;
    }
    if (!findings->words.empty()) {
        json["worstWords"] = ordered_json::array();
        for (const attack::FoundWord& word : findings->words) {
            json["worstWords"].push_back(
                {{"word", word.word}, {"success", word.success}, {"tokens", word.tokens}});
        }
    }
    return json;
}

ordered_json jsonAssumptions(const EvaluationSummary& summary) {
    ordered_json json = ordered_json::object();
    for (const attack::AttackResults& attack : summary.attacks) {
        json[attack::taskName(attack.task)] = attack.sentences;
    }
    return json;
}

ordered_json jsonSetting(const EvaluationSummary& summary, const evaluation::EvaluationCell& cell) {
    return {{"epsilon", cell.epsilon},
            {"lambda", jsonLambda(summary.options.grid.mechanism, cell.lambda)},
            {"gamma", jsonNumber(cell.gamma)},
            {"beta", jsonNumber(cell.beta)}};
}

ordered_json jsonData(const evaluation::DataDescription& data) {
    return {
        {"file", data.file},
        {"columns", data.columns},
        {"documents", data.documents},
        {"duplicates", data.duplicates},
        {"repeatedTestDocuments", data.repeatedTestDocuments},
        {"badRows", data.badRows},
        {"firstBadRows", data.firstBadRows},
        {"badTestRows", data.badTestRows},
        {"firstBadTestRows", data.firstBadTestRows},
        {"tokens", data.tokens},
        {"knownTokens", data.knownTokens},
        {"replacedTokens", data.replacedTokens},
        {"classes", data.classes},
        {"commonest",
         data.commonest.empty() ? ordered_json(nullptr) : ordered_json(data.commonest)},
        {"authors", data.authors},
        {"positive", data.positive.empty() ? ordered_json(nullptr) : ordered_json(data.positive)},
        {"ownSplit", data.hasOwnSplit},
        {"trainingDocuments", data.trainingDocuments},
        {"testDocuments", data.testDocuments}};
}

ordered_json jsonSeconds(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    ordered_json json{{"load", record.provenance.loadSeconds},
                      {"prepare", record.provenance.prepareSeconds},
                      {"perturb", summary.perturbSeconds},
                      {"classify", summary.classifySeconds}};
    for (const attack::AttackResults& attack : summary.attacks) {
        json[attack::taskName(attack.task)] = attack.seconds;
    }
    return json;
}

std::string_view priorName(evaluation::PriorKind prior) {
    return prior == evaluation::PriorKind::training  ? "training"
           : prior == evaluation::PriorKind::uniform ? "uniform"
                                                     : "file";
}

/// The options of the tasks that attack.
ordered_json jsonAttack(const evaluation::EvaluationOptions& options) {
    const evaluation::AttackOptions& attack = options.attack;
    return {{"prior", priorName(attack.prior)},
            {"priorFile",
             attack.reference ? ordered_json(attack.reference->file) : ordered_json(nullptr)},
            {"channel", options.grid.mechanism.isExact() ? "exact" : "sampled"}};
}

ordered_json jsonRun(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    const evaluation::EvaluationOptions& options = summary.options;
    ordered_json tasks = ordered_json::array();
    for (const attack::Task task : options.tasks) {
        tasks.push_back(attack::taskName(task));
    }
    return {
        {"tasks", std::move(tasks)},
        {"attack", jsonAttack(options)},
        {"repeats", summary.repeats},
        {"repeatsAsked", options.repeats},
        {"seed", options.seed},
        {"partial", summary.partial},
        {"testText", options.perturbTest ? "perturbed" : "original"},
        {"unknown", release::unknownPolicyName(options.policies.unknown)},
        {"case", text::casePolicyName(options.policies.letterCase)},
        {"stopWords", options.policies.stopWords ? options.policies.stopWords->size() : 0},
        {"onlyWords", options.policies.onlyWords ? ordered_json(options.policies.onlyWords->size())
                                                 : ordered_json(nullptr)},
        {"onlyWordsNotice", options.policies.onlyWords ? ordered_json(corpus::kOnlyWordsNotice)
                                                       : ordered_json(nullptr)},
        {"margin", evaluation::EvaluationOptions::kMargin},
        {"survival", record.survival ? ordered_json{{"words", record.survival->words},
                                                    {"draws", record.survival->draws}}
                                     : ordered_json(nullptr)},
        {"substitutions", summary.substitutions},
        {"threads", options.threads},
        {"seconds", jsonSeconds(record)},
        {"peakMemoryMiB", record.provenance.peakMemoryMiB}};
}

ordered_json jsonDifferences(const EvaluationSummary& summary) {
    ordered_json list = ordered_json::array();
    for (const evaluation::SettingsCompared& compared : summary.differences) {
        const evaluation::Difference& accuracy = compared.accuracy;
        list.push_back({{"classifier", evaluation::classifierName(
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

std::string studyTextJson(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    const evaluation::EvaluationOptions& options = summary.options;
    ordered_json json;
    json["schema"] = kStudyTextSchema;
    json["notice"] =
        "Study text from a seed, not a release: who knows the seed can draw the same noise again. "
        "For texts to be released, the command epsilens-cli sanitize draws fresh noise.";
    json["version"] = record.provenance.version;
    json["embedding"] = jsonEmbedding(record.provenance.embedding);
    json["mechanism"] = jsonMechanism(options.grid.mechanism, options.grid.mechanism.isExact());
    json["settings"] = ordered_json::array();
    for (const evaluation::EvaluationCell& cell : summary.cells) {
        json["settings"].push_back(jsonSetting(summary, cell));
    }
    json["data"] = jsonData(summary.data);
    json["run"] = {{"seed", options.seed},
                   {"repeat", 1},
                   {"unknown", release::unknownPolicyName(options.policies.unknown)},
                   {"case", text::casePolicyName(options.policies.letterCase)}};
    return jsonText(json);
}

std::string_view verdictName(evaluation::Verdict verdict) {
    switch (verdict) {
        case evaluation::Verdict::different:
            return "different";
        case evaluation::Verdict::withinMargin:
            return "withinMargin";
        case evaluation::Verdict::undecided:
            break;
    }
    return "undecided";
}

ordered_json evaluationDocument(const EvaluationRecord& record) {
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
    json["repeat"] = record.request ? jsonRequest(*record.request) : ordered_json(nullptr);
    for (const auto& [name, results] :
         {std::pair("original", &summary.original), std::pair("ceiling", &summary.ceiling),
          std::pair("floor", &summary.floor)}) {
        json[name] = {{"classify", jsonClassify(summary, *results, false)}};
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        const std::string_view task = attack::taskName(attack.task);
        json["original"][task] = jsonFindings(attack.original);
        json["floor"][task] = jsonFindings(attack.floor);
    }
    json["majority"] = summary.majority;
    json["cells"] = ordered_json::array();
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        ordered_json entry = jsonSetting(summary, summary.cells[i]);
        if (record.survival) {
            entry["nw"] = jsonMean(record.survival->cells[i].nw);
            entry["sw"] = jsonMean(record.survival->cells[i].sw);
        }
        entry["classify"] = jsonClassify(summary, summary.cells[i].classify, true);
        for (const attack::AttackResults& attack : summary.attacks) {
            entry[attack::taskName(attack.task)] = jsonFindings(attack.cells[i]);
        }
        json["cells"].push_back(std::move(entry));
    }
    json["assumptions"] = jsonAssumptions(summary);
    json["differences"] = jsonDifferences(summary);
    return json;
}

std::string evaluationJson(const EvaluationRecord& record) {
    return jsonText(evaluationDocument(record));
}

}  // namespace epsilens::document
