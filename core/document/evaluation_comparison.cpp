#include "core/document/evaluation_comparison.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/compared_settings.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parts.h"
#include "core/document/request_differences.h"
#include "core/document/stored_evaluation.h"
#include "core/experiment/membership_run.h"
#include "core/experiment/score_table.h"

namespace epsilens::document {
namespace {

using experiment::Difference;
using experiment::Estimate;
using experiment::RepeatDesign;
using nlohmann::ordered_json;

/// Columns as an evaluation says them, however they were found.
std::string columnsOf(const StoredEvaluation& evaluation) {
    constexpr std::string_view kGuessed = " (guessed)";
    std::string columns = evaluation.columns;
    for (auto at = columns.find(kGuessed); at != std::string::npos; at = columns.find(kGuessed)) {
        columns.erase(at, kGuessed.size());
    }
    return columns;
}

/// "classify.linear.accuracy" ends with "accuracy".
std::string_view lastPart(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

/// An evaluation with what it was asked for, where that is known.
struct Compared {
    StoredEvaluation evaluation{};
    std::optional<EvaluationRequest> request{};
};

/// What keeps the repeats of two runs from having the same documents in the same parts.
std::vector<std::string> pairingProblems(const Compared& first, const Compared& second) {
    const StoredEvaluation& one = first.evaluation;
    const StoredEvaluation& other = second.evaluation;
    const std::string& hash = first.request->data.fingerprint.sha256;
    const bool isSameData =
        !hash.empty() && first.request->data.fingerprint == second.request->data.fingerprint;
    const bool isReadAlike = columnsOf(one) == columnsOf(other) &&
                             one.documents == other.documents && one.training == other.training &&
                             one.test == other.test && one.hasOwnSplit == other.hasOwnSplit;
    std::vector<std::string> problems;
    for (const auto& [isProblem, what] :
         {std::pair(!isSameData, "the bytes of the data set"),
          std::pair(!isReadAlike, "the columns or parts of the data set"),
          std::pair(first.request->options.seed != second.request->options.seed, "the seed"),
          std::pair(first.request->options.repeats != second.request->options.repeats,
                    "the number of repeats"),
          std::pair(!hasSamePolicies(*first.request, *second.request),
                    "which words are replaced, and how")}) {
        if (isProblem) {
            problems.emplace_back(what);
        }
    }
    return problems;
}

constexpr std::string_view kAsIfIndependent =
    "compared as if the runs were independent, which makes the intervals too wide where they share "
    "texts";

class Comparison {
public:
    Comparison(const Compared& first, const Compared& second)
        : m_one(first), m_other(second), m_first(first.evaluation), m_second(second.evaluation) {}

    Result<EvaluationComparison> run() {
        m_result.mechanisms = {m_first.mechanism, m_second.mechanism};
        m_result.margin = m_first.margin;
        decidePairing();
        remarkDifferences();
        for (std::size_t i = 0; i < m_first.baselines.size(); ++i) {
            compare(m_first.baselines[i], m_second.baselines[i]);
        }
        for (const auto& [cell, partner] :
             settingPairs(m_first.cells, m_second.cells, m_result.remarks)) {
            compare(*cell, *partner);
        }
        if (m_result.figures.empty()) {
            return tl::unexpected(
                invalidArgument("the two evaluations have no measured figure in common"));
        }
        remarkUnpaired();
        decide();
        return std::move(m_result);
    }

private:
    /// The verdicts of all differences that have a standard error: what is the same in both runs,
    /// as without noise, is no comparison that could be wrong.
    void decide() {
        std::vector<Difference> differences;
        std::vector<Difference*> places;
        for (ComparedFigure& figure : m_result.figures) {
            if (!std::isnan(figure.difference.difference.standardError)) {
                differences.push_back(figure.difference);
                places.push_back(&figure.difference);
            }
        }
        experiment::decide(differences);
        for (std::size_t i = 0; i < differences.size(); ++i) {
            *places[i] = differences[i];
        }
    }

    void decidePairing() {
        if (!m_one.request || !m_other.request) {
            m_result.remarks.push_back(
                fmt::format("{} not say what was asked for, so nothing is paired; figures are {}.",
                            m_one.request     ? "The second run does"
                            : m_other.request ? "The first run does"
                                              : "The runs do",
                            kAsIfIndependent));
            return;
        }
        const std::vector<std::string> problems = pairingProblems(m_one, m_other);
        m_sharesRepeats = problems.empty();
        if (!m_sharesRepeats) {
            m_result.remarks.push_back(
                fmt::format("The runs differ in {}, so nothing is paired; figures are {}.",
                            fmt::join(problems, ", "), kAsIfIndependent));
        }
    }

    void remarkDifferences() {
        const auto remark = [&](bool differs, std::string sentence) {
            if (differs) {
                m_result.remarks.push_back(std::move(sentence));
            }
        };
        remark(m_first.embedding != m_second.embedding || m_first.words != m_second.words,
               "The runs have different embeddings: equal ε is not an equal guarantee.");
        remark(m_first.law != m_second.law,
               fmt::format("The runs have different mechanisms ({}; {}): equal ε is not an equal "
                           "guarantee.",
                           m_first.law, m_second.law));
        remarkChannels();
        if (m_one.request && m_other.request) {
            for (std::string& sentence : requestDifferences(*m_one.request, *m_other.request)) {
                m_result.remarks.push_back(std::move(sentence));
            }
        } else {
            remark(m_first.testText != m_second.testText,
                   "One run tested on original texts, the other on perturbed ones.");
        }
        remark(m_first.tokens != m_second.tokens,
               "The runs found different numbers of words in their data.");
        remark(m_first.isPartial || m_second.isPartial, "A run is partial.");
    }

    /// Attackers who know the probabilities do better than those who have draws only.
    void remarkChannels() {
        if (m_first.channel.empty() || m_second.channel.empty() ||
            m_first.channel == m_second.channel) {
            return;
        }
        const bool isFirstExact = m_first.channel == "exact";
        m_result.remarks.push_back(fmt::format(
            "The attackers of the {} run know the probabilities of its mechanism, those of the {} "
            "learned from draws and do worse for that alone.",
            isFirstExact ? "first" : "second", isFirstExact ? "second" : "first"));
    }

    /// Says once what is not paired although the runs share their repeats.
    void remarkUnpaired() {
        std::vector<std::string> names;
        for (const ComparedFigure& figure : m_result.figures) {
            const std::string_view name = figure.figure;
            const std::string_view shown =
                name.starts_with("classify.") ? lastPart(name) : name.substr(0, name.find('.'));
            if (!figure.isPaired && std::find(names.begin(), names.end(), shown) == names.end()) {
                names.emplace_back(shown);
            }
        }
        if (m_sharesRepeats && !names.empty()) {
            m_result.remarks.push_back(
                fmt::format("Not paired, but {}: {}.", kAsIfIndependent, fmt::join(names, ", ")));
        }
    }

    void compare(const StoredCondition& first, const StoredCondition& second) {
        for (const StoredFigure& figure : first.figures) {
            const StoredFigure* other = second.find(figure.name);
            if (other == nullptr) {
                continue;
            }
            ComparedFigure compared;
            compared.condition = first.name;
            compared.other = first.name == second.name ? std::string() : second.name;
            compared.title = settingTitle(first, second);
            compared.figure = figure.name;
            compared.first = figure.estimate;
            compared.second = other->estimate;
            const auto design = designOf(first, second, figure, *other);
            compared.isPaired = design.has_value();
            compared.difference =
                design ? experiment::compareRepeats(figure.repeats, other->repeats, *design,
                                                    m_first.margin)
                       : looseDifference(figure.estimate, other->estimate, m_first.margin);
            m_result.figures.push_back(std::move(compared));
        }
    }

    /// How the repeats of a figure of both runs are related; nothing where it cannot be paired.
    [[nodiscard]] std::optional<RepeatDesign> designOf(const StoredCondition& first,
                                                       const StoredCondition& second,
                                                       const StoredFigure& figure,
                                                       const StoredFigure& other) const {
        if (!m_sharesRepeats || figure.repeats.size() < 2 ||
            figure.repeats.size() != other.repeats.size()) {
            return std::nullopt;
        }
        if (figure.name.starts_with("membership.")) {
            return RepeatDesign{experiment::kMembershipTestRatio, 0.0};
        }
        if (!figure.name.starts_with("classify.") || m_first.training == 0) {
            return std::nullopt;
        }
        if (!m_first.hasOwnSplit) {
            return RepeatDesign{
                static_cast<double>(m_first.test) / static_cast<double>(m_first.training), 0.0};
        }
        if (!figure.resampled.empty() && figure.resampled.size() == other.resampled.size()) {
            std::vector<double> differences;
            for (std::size_t i = 0; i < figure.resampled.size(); ++i) {
                differences.push_back(figure.resampled[i] - other.resampled[i]);
            }
            const auto variance = experiment::varianceOf(differences);
            return variance ? std::optional(RepeatDesign{0.0, *variance}) : std::nullopt;
        }
        const std::vector<double> one = documentValues(m_first, first, figure.name);
        const std::vector<double> another = documentValues(m_second, second, figure.name);
        if (one.empty() || one.size() != another.size()) {
            return std::nullopt;
        }
        return RepeatDesign{0.0, experiment::sharedVariance(one, another)};
    }

    /// Values of the test documents that all repeats share, whose mean is the figure; empty where
    /// they are not known.
    [[nodiscard]] static std::vector<double> documentValues(const StoredEvaluation& evaluation,
                                                            const StoredCondition& condition,
                                                            const std::string& figure) {
        const std::string_view measure = lastPart(figure);
        const std::string_view classifier =
            std::string_view(figure).substr(0, figure.size() - measure.size() - 1);
        const auto sharesOf = [&](const StoredCondition& one) {
            return one.correctShares(std::string(lastPart(classifier)), evaluation.repeats);
        };
        std::vector<double> shares = sharesOf(condition);
        if (measure == "accuracy") {
            return shares;
        }
        const std::vector<double> floor = sharesOf(evaluation.baseline("floor"));
        const std::vector<double> ceiling = sharesOf(evaluation.baseline("ceiling"));
        if (measure != "retained" || shares.empty() || floor.size() != shares.size() ||
            ceiling.size() != shares.size()) {
            return {};
        }
        return experiment::linearisedShares(shares, floor, ceiling);
    }

    const Compared& m_one;
    const Compared& m_other;
    const StoredEvaluation& m_first;
    const StoredEvaluation& m_second;
    bool m_sharesRepeats = false;  ///< repeats of both have the same documents in the same parts
    EvaluationComparison m_result{};
};

ordered_json jsonEstimate(const Estimate& estimate) {
    return {{"mean", jsonNumber(estimate.mean)},
            {"ci95", estimate.ci95 ? ordered_json(*estimate.ci95) : ordered_json(nullptr)}};
}

}  // namespace

Result<EvaluationComparison> compareEvaluations(const JsonDocument& first,
                                                const JsonDocument& second) {
    const auto readCompared = [](const JsonNode& node) {
        return Compared{readEvaluation(node), readRequest(node)};
    };
    ASSIGN_OR_RETURN(const auto one, readDocument(first, readCompared));
    ASSIGN_OR_RETURN(const auto other, readDocument(second, readCompared));
    return Comparison(one, other).run();
}

std::string comparisonJson(const EvaluationComparison& comparison) {
    ordered_json json;
    json["schema"] = kComparisonSchema;
    json["mechanisms"] = comparison.mechanisms;
    json["margin"] = comparison.hasVerdicts ? jsonNumber(comparison.margin) : ordered_json(nullptr);
    json["remarks"] = comparison.remarks;
    json["figures"] = ordered_json::array();
    for (const ComparedFigure& figure : comparison.figures) {
        json["figures"].push_back(
            {{"condition", figure.condition},
             {"other", figure.other.empty() ? figure.condition : figure.other},
             {"figure", figure.figure},
             {"first", jsonEstimate(figure.first)},
             {"second", jsonEstimate(figure.second)},
             {"difference", jsonEstimate(figure.difference.difference)},
             {"paired", figure.isPaired},
             {"verdict", comparison.hasVerdicts
                             ? ordered_json(verdictName(figure.difference.verdict))
                             : ordered_json(nullptr)}});
    }
    return jsonText(json);
}

}  // namespace epsilens::document
