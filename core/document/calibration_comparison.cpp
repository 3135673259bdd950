#include "core/document/calibration_comparison.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/run.h"
#include "core/document/calibration_document.h"
#include "core/document/compared_settings.h"
#include "core/document/evaluation_document.h"
#include "core/document/mechanism_fields.h"

namespace epsilens::document {
namespace {

using calibration::Cell;
using calibration::Run;
using experiment::Estimate;
using statistics::Summary;

constexpr std::array<std::pair<const char*, Summary Cell::*>, 5> kOverWords{
    {{"nw.mean", &Cell::nw},
     {"sw.mean", &Cell::sw},
     {"minEntropy.mean", &Cell::minEntropy},
     {"shannonEntropy.mean", &Cell::shannonEntropy},
     {"hartleyEntropy.mean", &Cell::hartleyEntropy}}};
constexpr std::array<std::pair<const char*, double Cell::*>, 4> kOverOutputs{
    {{"kept", &Cell::kept},
     {"near", &Cell::near},
     {"far", &Cell::far},
     {"meanDistance", &Cell::meanDistance}}};

/// A cell as evaluations have settings.
StoredCondition conditionOf(const Cell& cell, bool hasLambda) {
    StoredCondition condition;
    condition.setting = {cell.epsilon, hasLambda ? std::optional(cell.lambda) : std::nullopt,
                         cell.gamma, cell.beta};
    constexpr std::array kSymbols{"ε", "λ", "γ", "β"};
    for (std::size_t i = 0; i < kSymbols.size(); ++i) {
        if (condition.setting.at(i)) {
            condition.name += fmt::format("{}{} {}", condition.name.empty() ? "" : ", ",
                                          kSymbols.at(i), formatNumber(*condition.setting.at(i)));
        }
    }
    const auto add = [&](const char* name, const Estimate& estimate) {
        condition.figures.push_back({name, estimate, {}});
    };
    for (const auto& [name, summary] : kOverWords) {
        add(name, {(cell.*summary).mean, (cell.*summary).ci95, 0.0});
    }
    for (const auto& [name, value] : kOverOutputs) {
        add(name, {cell.*value, std::nullopt, 0.0});
    }
    if (cell.meanCosine) {
        add("meanCosine", {*cell.meanCosine, std::nullopt, 0.0});
    }
    return condition;
}

std::vector<StoredCondition> conditionsOf(const Run& run) {
    std::vector<StoredCondition> conditions;
    const bool hasLambda = run.summary->grid.mechanism.hasLambda();
    conditions.reserve(run.summary->cells.size());
    for (const Cell& cell : run.summary->cells) {
        conditions.push_back(conditionOf(cell, hasLambda));
    }
    return conditions;
}

/// Whether both runs measured the same words of the same vectors.
bool haveSameWords(const Run& first, const Run& second) {
    return first.provenance.embedding.sha256 == second.provenance.embedding.sha256 &&
           first.provenance.embedding.words == second.provenance.embedding.words &&
           first.summary->words == second.summary->words &&
           first.request.options.words == second.request.options.words;
}

std::vector<std::string> remarksOn(const Run& first, const Run& second) {
    std::vector<std::string> remarks;
    const auto remark = [&](bool isSo, std::string_view sentence) {
        if (isSo) {
            remarks.emplace_back(sentence);
        }
    };
    const calibration::CalibrationSummary& one = *first.summary;
    const calibration::CalibrationSummary& other = *second.summary;
    remark(first.provenance.embedding.sha256 != second.provenance.embedding.sha256 ||
               first.provenance.embedding.words != second.provenance.embedding.words,
           "The runs have different embeddings: equal ε is not an equal guarantee.");
    remark(!differInNumbersOnly(one.grid.mechanism, other.grid.mechanism),
           "The runs have different mechanisms or metrics: equal ε is not an equal guarantee.");
    const bool isSameWords = haveSameWords(first, second);
    remark(!isSameWords, "The runs measured different words.");
    remark(one.draws != other.draws,
           fmt::format("N_w and S_w are counts of {} draws in the first run, of {} in the second; "
                       "entropies of draws depend on their number too.",
                       one.draws, other.draws));
    remark(one.isExact() != other.isExact(),
           "The statistics of one run are exact, those of the other come from draws.");
    remark(
        isSameWords && one.seed == other.seed,
        "Both runs have the same words, and draws of the same seed: what they share cancels in a "
        "difference, so that the intervals, which are those of independent runs, are too wide.");
    remark(one.partial || other.partial, "A run is partial.");
    return remarks;
}

}  // namespace

Result<EvaluationComparison> compareCalibrations(const JsonDocument& first,
                                                 const JsonDocument& second) {
    const auto read = [](const JsonNode& node) { return readCalibration(node); };
    ASSIGN_OR_RETURN(const auto one, readDocument(first, read));
    ASSIGN_OR_RETURN(const auto other, readDocument(second, read));
    EvaluationComparison result;
    result.hasVerdicts = false;
    result.mechanisms = {std::string(one.summary->grid.mechanism.name()),
                         std::string(other.summary->grid.mechanism.name())};
    result.remarks = remarksOn(one, other);
    const std::vector<StoredCondition> conditions = conditionsOf(one);
    const std::vector<StoredCondition> others = conditionsOf(other);
    for (const auto& [cell, partner] : settingPairs(conditions, others, result.remarks)) {
        for (const StoredFigure& figure : cell->figures) {
            if (const StoredFigure* same = partner->find(figure.name)) {
                result.figures.push_back(
                    {cell->name, cell->name == partner->name ? std::string() : partner->name,
                     settingTitle(*cell, *partner), figure.name, figure.estimate, same->estimate,
                     looseDifference(figure.estimate, same->estimate, 0.0), false});
            }
        }
    }
    if (result.figures.empty()) {
        return tl::unexpected(invalidArgument("the two calibrations have no setting in common"));
    }
    return result;
}

Result<EvaluationComparison> compareResults(const JsonDocument& first, const JsonDocument& second) {
    const auto areBoth = [&](std::string_view schema) {
        return isFamily(first, schema) && isFamily(second, schema);
    };
    if (areBoth(kCalibrationSchema)) {
        return compareCalibrations(first, second);
    }
    if (areBoth(kEvaluationSchema)) {
        return compareEvaluations(first, second);
    }
    return fail(ErrorCode::badFile,
                "compare needs two results of evaluate --format json, or two of calibrate --format "
                "json");
}

}  // namespace epsilens::document
