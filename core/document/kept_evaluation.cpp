#include "core/document/kept_evaluation.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/document/descriptions.h"
#include "core/document/evaluation_document.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"
#include "core/document/mechanism_fields.h"
#include "core/document/session_file.h"

namespace epsilens::document {
namespace {

namespace fs = std::filesystem;

using attack::Figure;
using attack::Task;
using evaluation::EvaluationSummary;
using evaluation::Verdict;

constexpr std::size_t kMostTasks = 5;
constexpr std::size_t kMostClassifiers = 3;
constexpr std::size_t kMostCells = 10'000;
constexpr std::size_t kMostFigures = 10'000;
constexpr std::size_t kMostNames = 1'000;
constexpr std::size_t kMostComparisons = 10'000'000;
constexpr NumberOrNaN kFigure{{-kLargestNumber, kLargestNumber}};
constexpr Number kBound{-kLargestNumber, kLargestNumber};
constexpr Named<attack::taskName, attack::parseTask> kTask{};

constexpr auto kFigureKind =
    oneOf<Figure::Kind>({{"share", Figure::Kind::share}, {"number", Figure::Kind::number}});
constexpr auto kVerdict = oneOf<Verdict>({{"undecided", Verdict::undecided},
                                          {"different", Verdict::different},
                                          {"withinMargin", Verdict::withinMargin}});

/// As many values of one kind as a struct has, as an array.
template <typename Rule>
struct Each {
    Rule rule;

    template <typename T, std::size_t count>
    [[nodiscard]] nlohmann::ordered_json write(const std::array<T, count>& values) const {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const T& value : values) {
            array.push_back(rule.write(value));
        }
        return array;
    }
    template <typename T, std::size_t count>
    void read(const JsonNode& node, std::array<T, count>& values) const {
        std::size_t found = 0;
        node.eachItem(count, [&](const JsonNode& item) { rule.read(item, values.at(found++)); });
        if (found != count) {
            node.complain(fmt::format("it does not hold {} values", count));
        }
    }
};

template <typename Rule>
[[nodiscard]] constexpr Each<Rule> eachOf(Rule rule) {
    return {rule};
}

constexpr auto kEstimate = objectOf([](auto& json, auto& estimate) {
    json.field("mean", estimate.mean, kFigure);
    json.field("ci95", estimate.ci95, pairOf(kBound));
    json.field("standardError", estimate.standardError, NumberOrNaN{});
});

/// In the order of kMeasures.
constexpr auto kResults = objectOf([](auto& json, auto& results) {
    json.field("measures", results.measures, eachOf(kEstimate));
    json.field("retained", results.retained, kEstimate);
    json.field(
        "repeats", results.repeats,
        listOf(eachOf(NumberOrNaN{{0.0, 1.0}}), evaluation::EvaluationOptions::kMostRepeats));
});

constexpr auto kCell = objectOf([](auto& json, auto& cell) {
    json.field("epsilon", cell.epsilon, kAboveZero);
    json.field("lambda", cell.lambda, kShare);
    json.field("gamma", cell.gamma, kGamma);
    json.field("beta", cell.beta, kBeta);
    json.field("classify", cell.classify, listOf(kResults, kMostClassifiers));
});

constexpr auto kDifference = objectOf([](auto& json, auto& compared) {
    json.field("first", compared.first, kCount);
    json.field("second", compared.second, kCount);
    json.field("classifier", compared.classifier, kCount);
    json.field("accuracy", compared.accuracy.difference, kEstimate);
    json.field("pDifferent", compared.accuracy.pDifferent, kAtLeastZero);
    json.field("pWithinMargin", compared.accuracy.pWithinMargin, kAtLeastZero);
    json.field("verdict", compared.accuracy.verdict, kVerdict);
});

constexpr auto kFindings = objectOf([](auto& json, auto& findings) {
    json.field("figures", findings.figures,
               listOf(objectOf([](auto& entry, auto& figure) {
                          entry.field("path", figure.path, Text{kLongestName});
                          entry.field("title", figure.title, Text{kLongestName});
                          entry.field("value", figure.value, kFigure);
                          entry.field("ci95", figure.ci95, pairOf(kBound));
                          entry.field("kind", figure.kind, kFigureKind);
                      }),
                      kMostFigures));
    json.field("chosen", findings.chosen, listOf(Text{kLongestName}, kMostNames));
});

/// Findings that may not be there, in a list.
struct FindingsOrNull {
    template <typename T>
    [[nodiscard]] nlohmann::ordered_json write(const std::optional<T>& findings) const {
        return findings ? kFindings.write(*findings) : nlohmann::ordered_json(nullptr);
    }
    template <typename T>
    void read(const JsonNode& node, std::optional<T>& findings) const {
        if (!node.isNull()) {
            kFindings.read(node, findings.emplace());
        }
    }
};

constexpr auto kAttack = objectOf([](auto& json, auto& attack) {
    json.field("task", attack.task, kTask);
    json.field("risk", attack.risk, Text{kLongestName});
    json.field("sentences", attack.sentences, listOf(kText, kMostNames));
    json.field("original", attack.original, kFindings);
    json.field("floor", attack.floor, kFindings);
    json.field("cells", attack.cells, listOf(FindingsOrNull{}, kMostCells));
    json.field("seconds", attack.seconds, kAtLeastZero);
});

constexpr auto kOptions =
    objectOf([](auto& json, auto& options) { describeEvaluationOptions(json, options); });

constexpr auto kDescription = objectOf([](auto& json, auto& data) {
    json.field("file", data.file, kPath);
    json.field("columns", data.columns, kText);
    json.field("documents", data.documents, kCount);
    json.field("duplicates", data.duplicates, kCount);
    json.field("badRows", data.badRows, kCount);
    json.fieldIf(!data.firstBadRows.empty(), "firstBadRows", data.firstBadRows,
                 listOf(kCount, corpus::kRowsNamed));
    json.field("tokens", data.tokens, kCount);
    json.field("knownTokens", data.knownTokens, kCount);
    json.field("replacedTokens", data.replacedTokens, kCount);
    json.field("classes", data.classes, listOf(kText, kMostNames));
    json.field("commonest", data.commonest, kText);
    json.field("authors", data.authors, kCount);
    json.field("positive", data.positive, kText);
    json.field("ownSplit", data.hasOwnSplit, kFlag);
    json.field("trainingDocuments", data.trainingDocuments, kCount);
    json.field("testDocuments", data.testDocuments, kCount);
    json.fieldIf(data.repeatedTestDocuments > 0, "repeatedTestDocuments",
                 data.repeatedTestDocuments, kCount);
});

/// Whether all lists of an evaluation belong together, so that nobody looks beyond the end of one.
void checkWhole(FieldReader& json, const EvaluationSummary& summary) {
    const std::size_t settings =
        summary.options.grid.mechanisms().size() * summary.options.grid.epsilons.size();
    json.demand(settings > 0 && summary.cells.size() == settings, "cells",
                fmt::format("there are {} of them, and the grid has {} settings",
                            summary.cells.size(), settings));
    const std::size_t classified = summary.original.size();
    const auto isOfClassifiers = [&](const auto& results) { return results.size() == classified; };
    json.demand((classified == 0 || classified == summary.options.classifiers.size()) &&
                    isOfClassifiers(summary.ceiling) && isOfClassifiers(summary.floor) &&
                    std::all_of(summary.cells.begin(), summary.cells.end(),
                                [&](const auto& cell) { return isOfClassifiers(cell.classify); }),
                "original", "it does not have as many classifiers as the rest of the evaluation");
    std::set<Task> tasks;
    json.demand(std::all_of(summary.attacks.begin(), summary.attacks.end(),
                            [&](const attack::AttackResults& attack) {
                                return attack.task != Task::classify &&
                                       attack.cells.size() == settings &&
                                       tasks.insert(attack.task).second;
                            }),
                "attacks", "a task is none that attacks, comes twice, or lacks settings");
    json.demand(std::all_of(summary.differences.begin(), summary.differences.end(),
                            [&](const evaluation::SettingsCompared& compared) {
                                return compared.first < settings && compared.second < settings &&
                                       compared.classifier < classified;
                            }),
                "differences", "a comparison is of a setting or classifier that is not there");
}

/// All but the data set.
template <typename Fields, typename Summary>
void describeResults(Fields& json, Summary& summary) {
    json.field("options", summary.options, kOptions);
    json.field("described", summary.data, kDescription);
    json.field("repeats", summary.repeats, Integer{0, evaluation::EvaluationOptions::kMostRepeats});
    json.field("partial", summary.partial, kFlag);
    json.field("substitutions", summary.substitutions, kCount);
    json.field("perturbSeconds", summary.perturbSeconds, kAtLeastZero);
    json.field("classifySeconds", summary.classifySeconds, kAtLeastZero);
    json.field("majority", summary.majority, kShare);
    json.field("original", summary.original, listOf(kResults, kMostClassifiers));
    json.field("ceiling", summary.ceiling, listOf(kResults, kMostClassifiers));
    json.field("floor", summary.floor, listOf(kResults, kMostClassifiers));
    json.field("cells", summary.cells, listOf(kCell, kMostCells));
    json.field("attacks", summary.attacks, listOf(kAttack, kMostTasks));
    json.field("differences", summary.differences, listOf(kDifference, kMostComparisons));
    if constexpr (Fields::kReads) {
        checkWhole(json, summary);
    }
}

constexpr auto kData = objectOf([](auto& json, auto& data) { describeData(json, data); });

constexpr auto kEvaluation = objectOf([](auto& json, auto& evaluation) {
    json.field("data", evaluation.data, kData);
    describeResults(json, evaluation.results);
});

}  // namespace

EvaluationSummary keptPart(EvaluationSummary summary, bool keepsNames) {
    summary.guarantees.clear();
    summary.options.threads = 0;
    const auto forgetWords = [](std::optional<attack::Findings>& findings) {
        if (findings) {
            findings->words.clear();
        }
    };
    const auto forgetDocuments = [](std::vector<evaluation::ClassifierResults>& all) {
        for (evaluation::ClassifierResults& results : all) {
            results.correct.clear();
        }
    };
    for (auto* baseline : {&summary.original, &summary.ceiling, &summary.floor}) {
        forgetDocuments(*baseline);
    }
    for (evaluation::EvaluationCell& cell : summary.cells) {
        forgetDocuments(cell.classify);
    }
    for (attack::AttackResults& attack : summary.attacks) {
        forgetWords(attack.original);
        forgetWords(attack.floor);
        std::for_each(attack.cells.begin(), attack.cells.end(), forgetWords);
    }
    if (!keepsNames) {
        evaluation::DataDescription& data = summary.data;
        data.commonest.clear();
        for (std::size_t i = 0; i < data.classes.size(); ++i) {
            std::string name = fmt::format("class {}", i + 1);
            if (!data.positive.empty() && data.positive == data.classes[i]) {
                data.positive = name;
            }
            data.classes[i] = std::move(name);
        }
    }
    return summary;
}

bool canBeKept(const KeptEvaluation& evaluation) {
    const evaluation::EvaluationOptions& options = evaluation.results.options;
    return !evaluation.data.fingerprint.sha256.empty() &&
           evaluation.data.options.testPath.empty() && options.positive.empty() &&
           !options.policies.stopWords && !options.policies.onlyWords &&
           options.policies.mask == corpus::ReplacementPolicies{}.mask &&
           options.attack.prior == evaluation::PriorKind::training;
}

template <typename Fields, typename Evaluation>
void describeEvaluation(Fields& json, std::string_view member, Evaluation& evaluation,
                        bool keepsNames) {
    if constexpr (Fields::kReads) {
        json.fieldIf(member, evaluation, kEvaluation);
    } else {
        std::optional<KeptEvaluation> kept;
        if (evaluation && canBeKept(*evaluation)) {
            kept = KeptEvaluation{evaluation->data, keptPart(evaluation->results, keepsNames)};
        }
        json.field(member, kept, kEvaluation);
    }
}

template void describeEvaluation(FieldWriter& json, std::string_view member,
                                 const std::optional<KeptEvaluation>& evaluation, bool keepsNames);
template void describeEvaluation(FieldReader& json, std::string_view member,
                                 std::optional<KeptEvaluation>& evaluation, bool keepsNames);

Result<std::vector<Difference>> evaluationDifferences(const KeptEvaluation& stored,
                                                      const KeptEvaluation& found) {
    const bool keepsNames = !stored.results.data.commonest.empty();
    const KeptEvaluation kept{found.data, keptPart(found.results, keepsNames)};
    ASSIGN_OR_RETURN(const auto json, parseJson(jsonText(kEvaluation.write(stored))));
    return readDocument(json, [&](const JsonNode& node) {
        return differencesBetween(node, kEvaluation.write(kept));
    });
}

}  // namespace epsilens::document
