#include "core/report/trade_off_text.h"

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/experiment/trade_off.h"
#include "core/report/evaluation_parts.h"

namespace epsilens::report {
namespace {

using experiment::ClassifierKind;
using experiment::Estimate;
using experiment::EvaluationSummary;
using experiment::Measure;

/// "24", or "6.2" below ten: a share as a count out of 100.
std::string countText(double share) {
    constexpr double kFew = 9.95;
    const double count = 100.0 * share;
    return count < kFew ? fmt::format("{:.1f}", count) : fmt::format("{:.0f}", count);
}

/// "95 % interval 76 to 80; "
std::string intervalWords(const std::optional<std::array<double, 2>>& ci95) {
    return ci95 ? fmt::format("95 % interval {} to {}; ", countText((*ci95)[0]),
                              countText((*ci95)[1]))
                : std::string();
}

std::string utilityClause(const EvaluationSummary& summary, std::size_t cell,
                          std::size_t classifier) {
    const Estimate& accuracy = summary.cells[cell].classify[classifier].of(Measure::accuracy);
    const double ceiling = summary.ceiling[classifier].of(Measure::accuracy).mean;
    return fmt::format("{} puts {} of 100 texts into the right class ({}{} without noise)",
                       classifierWords(summary.options.classifiers[classifier]),
                       countText(accuracy.mean), intervalWords(accuracy.ci95), countText(ceiling));
}

std::string riskClause(const EvaluationSummary& summary, std::size_t cell) {
    const auto* attack = experiment::attackOf(summary, experiment::Task::reconstruct);
    if (attack == nullptr || !attack->cells[cell]) {
        return {};
    }
    const experiment::Figure* best = figureAt(*attack->cells[cell], "best");
    const experiment::Figure* prior = figureAt(*attack->cells[cell], "prior");
    if (best == nullptr || prior == nullptr) {
        return {};
    }
    return fmt::format("the best attacker guesses {} of 100 words ({}{} without the release)",
                       countText(best->value), intervalWords(best->ci95), countText(prior->value));
}

/// "At ε 8.3, λ 0.5 …."; empty without clauses.
std::string sentenceAt(const EvaluationSummary& summary, std::size_t cell,
                       const std::string& clauses) {
    if (clauses.empty()) {
        return {};
    }
    const std::string family = familyText(summary, summary.cells[cell]);
    return fmt::format("At ε {}{}{} {}.", formatNumber(summary.cells[cell].epsilon),
                       family.empty() ? "" : ", ", family, clauses);
}

}  // namespace

std::string classifierWords(ClassifierKind classifier) {
    switch (classifier) {
        case ClassifierKind::vectors:
            return "a classifier of mean word vectors";
        case ClassifierKind::fasttext:
            return "fastText's classifier";
        case ClassifierKind::linear:
            break;
    }
    return "a linear classifier of the words";
}

std::string tradeOffSentence(const EvaluationSummary& summary, std::size_t cell,
                             std::size_t classifier) {
    std::string clauses = classifier < summary.original.size()
                              ? utilityClause(summary, cell, classifier)
                              : std::string();
    if (const std::string risk = riskClause(summary, cell); !risk.empty()) {
        clauses += (clauses.empty() ? "" : ", and ") + risk;
    }
    return sentenceAt(summary, cell, clauses);
}

std::string attackerSentence(const EvaluationSummary& summary, std::size_t cell) {
    return sentenceAt(summary, cell, riskClause(summary, cell));
}

}  // namespace epsilens::report
