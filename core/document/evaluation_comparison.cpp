#include "core/document/evaluation_comparison.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parts.h"
#include "core/document/stored_evaluation.h"

namespace epsilens::document {
namespace {

using experiment::Difference;
using experiment::Estimate;
using nlohmann::ordered_json;

// 97.5% quantile of the normal law.
constexpr double kNormalQuantile = 1.959963984540054;

/// P(Z > z) of the normal law.
double upperTail(double z) {
    return std::erfc(z / std::sqrt(2.0)) / 2.0;
}

class Comparison {
public:
    Comparison(const StoredEvaluation& first, const StoredEvaluation& second)
        : m_first(first), m_second(second) {}

    Result<EvaluationComparison> run() {
        m_result.mechanisms = {m_first.mechanism, m_second.mechanism};
        m_result.margin = m_first.margin;
        remarkDifferences();
        for (std::size_t i = 0; i < m_first.baselines.size(); ++i) {
            compare(m_first.baselines[i], m_second.baselines[i]);
        }
        compareCells();
        if (m_result.figures.empty()) {
            return tl::unexpected(
                invalidArgument("the two evaluations have no measured figure in common"));
        }
        std::vector<Difference> differences;
        differences.reserve(m_result.figures.size());
        for (const ComparedFigure& figure : m_result.figures) {
            differences.push_back(figure.difference);
        }
        experiment::decide(differences);
        for (std::size_t i = 0; i < differences.size(); ++i) {
            m_result.figures[i].difference = differences[i];
        }
        return std::move(m_result);
    }

private:
    /// Whether repeats of both runs have the same documents in the same parts.
    [[nodiscard]] bool sharesRepeats() const {
        return m_first.seed == m_second.seed && m_first.file == m_second.file &&
               m_first.documents == m_second.documents && m_first.training == m_second.training &&
               m_first.test == m_second.test && m_first.hasOwnSplit == m_second.hasOwnSplit;
    }

    void remarkDifferences() {
        const auto remark = [&](bool differs, std::string sentence) {
            if (differs) {
                m_result.remarks.push_back(std::move(sentence));
            }
        };
        remark(!sharesRepeats(),
               "The runs have other data, splits or seeds, so nothing is paired.");
        remark(m_first.embedding != m_second.embedding,
               "The runs have different embeddings: equal ε is not an equal guarantee.");
        remark(m_first.mechanism != m_second.mechanism,
               "The runs have different mechanisms: equal ε is not an equal guarantee.");
        remark(m_first.tokens != m_second.tokens,
               "The runs found different numbers of words in their data.");
        remark(m_first.testText != m_second.testText,
               "One run tested on original texts, the other on perturbed ones.");
        remark(m_first.isPartial || m_second.isPartial, "A run is partial.");
    }

    void compareCells() {
        std::size_t paired = 0;
        for (const StoredCondition& cell : m_first.cells) {
            const auto partner = std::find_if(
                m_second.cells.begin(), m_second.cells.end(),
                [&](const StoredCondition& other) { return other.setting == cell.setting; });
            if (partner != m_second.cells.end()) {
                compare(cell, *partner);
                ++paired;
            }
        }
        if (paired == 0 && m_first.cells.size() == m_second.cells.size()) {
            m_result.remarks.emplace_back(
                "No setting is in both runs; they stand beside each other in their order.");
            for (std::size_t i = 0; i < m_first.cells.size(); ++i) {
                compare(m_first.cells[i], m_second.cells[i]);
            }
            return;
        }
        if (paired < std::max(m_first.cells.size(), m_second.cells.size())) {
            m_result.remarks.push_back(
                fmt::format("{} settings are in both runs; the first has {}, the second {}.",
                            paired, m_first.cells.size(), m_second.cells.size()));
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
            compared.figure = figure.name;
            compared.first = figure.estimate;
            compared.second = other->estimate;
            compared.isPaired = sharesRepeats() && figure.repeats.size() > 1 &&
                                figure.repeats.size() == other->repeats.size();
            compared.difference = compared.isPaired ? pairedDifference(figure, *other)
                                                    : looseDifference(figure, *other);
            m_result.figures.push_back(std::move(compared));
        }
    }

    [[nodiscard]] Difference pairedDifference(const StoredFigure& first,
                                              const StoredFigure& second) const {
        const double ratio =
            m_first.hasOwnSplit || m_first.training == 0
                ? 0.0
                : static_cast<double>(m_first.test) / static_cast<double>(m_first.training);
        return experiment::compareRepeats(first.repeats, second.repeats, {ratio, 0.0},
                                          m_first.margin);
    }

    /// As if the two were independent: variances add.
    [[nodiscard]] Difference looseDifference(const StoredFigure& first,
                                             const StoredFigure& second) const {
        Difference result;
        const double mean = first.estimate.mean - second.estimate.mean;
        result.difference = {mean, std::nullopt, std::nan("")};
        if (!first.estimate.ci95 || !second.estimate.ci95) {
            return result;
        }
        const auto half = [](const Estimate& estimate) {
            return ((*estimate.ci95)[1] - (*estimate.ci95)[0]) / 2.0;
        };
        const double width = std::hypot(half(first.estimate), half(second.estimate));
        const double error = width / kNormalQuantile;
        result.difference = {mean, std::array{mean - width, mean + width}, error};
        if (error > 0.0) {
            result.pDifferent = 2.0 * upperTail(std::abs(mean) / error);
            result.pWithinMargin = upperTail((m_first.margin - std::abs(mean)) / error);
        } else {
            result.pDifferent = mean == 0.0 ? 1.0 : 0.0;
            result.pWithinMargin = std::abs(mean) < m_first.margin ? 0.0 : 1.0;
        }
        return result;
    }

    const StoredEvaluation& m_first;
    const StoredEvaluation& m_second;
    EvaluationComparison m_result{};
};

ordered_json jsonEstimate(const Estimate& estimate) {
    return {{"mean", jsonNumber(estimate.mean)},
            {"ci95", estimate.ci95 ? ordered_json(*estimate.ci95) : ordered_json(nullptr)}};
}

}  // namespace

Result<EvaluationComparison> compareEvaluations(const JsonDocument& first,
                                                const JsonDocument& second) {
    ASSIGN_OR_RETURN(const auto one, readDocument(first, readEvaluation));
    ASSIGN_OR_RETURN(const auto other, readDocument(second, readEvaluation));
    return Comparison(one, other).run();
}

std::string comparisonJson(const EvaluationComparison& comparison) {
    ordered_json json;
    json["schema"] = kComparisonSchema;
    json["mechanisms"] = comparison.mechanisms;
    json["margin"] = comparison.margin;
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
             {"verdict", verdictName(figure.difference.verdict)}});
    }
    return jsonText(json);
}

}  // namespace epsilens::document
