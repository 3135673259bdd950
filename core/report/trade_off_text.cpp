#include "core/report/trade_off_text.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/evaluation/evaluation.h"
#include "core/report/evaluation_parts.h"

namespace epsilens::report {
namespace {

using evaluation::ClassifierKind;
using evaluation::EvaluationSummary;

/// "24", or "6.2" below ten: a share as a count out of 100.
std::string countText(double share) {
    constexpr double kFew = 9.95;
    const double count = 100.0 * share;
    return count < kFew ? fmt::format("{:.1f}", count) : fmt::format("{:.0f}", count);
}

/// "At ε 8.3, λ 0.5: …."; empty without clauses.
///
/// mark  behind the setting
std::string sentenceAt(const EvaluationSummary& summary, std::size_t cell, std::string_view mark,
                       const std::string& clauses) {
    if (clauses.empty()) {
        return {};
    }
    return fmt::format("At {}{} {}.", settingText(summary, summary.cells[cell]), mark, clauses);
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

std::string intervalWords(const CountWords& count) {
    return count.low.empty() ? std::string()
                             : fmt::format("95% interval {} to {}", count.low, count.high);
}

std::string utilityClause(const EvaluationSummary& summary, std::size_t cell,
                          ClassifierKind classifier) {
    const auto accuracyAt = [&](std::size_t condition) {
        return figureOf(summary, condition, {evaluation::FigureName::Kind::accuracy, classifier});
    };
    const evaluation::FigureValue accuracy = accuracyAt(evaluation::kBaselines + cell);
    if (std::isnan(accuracy.value)) {
        return {};
    }
    const CountWords right = shareWords(accuracy.value, accuracy.ci95, 0.0);
    const std::string interval = intervalWords(right);
    const std::string& commonest = summary.data.commonest;
    return fmt::format(
        "{} of 100 texts still get the right class ({}{}{}); always saying {} would be right for "
        "{}, without protection {} are right",
        right.value, classifierWords(classifier), interval.empty() ? "" : "; ", interval,
        commonest.empty() ? "the commonest class" : fmt::format("\"{}\"", commonest),
        countText(summary.majority), countText(accuracyAt(evaluation::kOriginal).value));
}

std::string riskClause(const EvaluationSummary& summary, std::size_t cell) {
    const auto at = [&](const char* path) {
        return figureAt(summary, evaluation::kBaselines + cell, path);
    };
    const auto best = at("reconstruct.best");
    const auto prior = at("reconstruct.prior");
    if (!best || !prior) {
        return {};
    }
    const CountWords guessed = shareWords(best->value, best->ci95, 0.0);
    const std::string interval = intervalWords(guessed);
    return fmt::format("the best attacker guesses {} of 100 words ({}{}{} without the release)",
                       guessed.value, interval, interval.empty() ? "" : "; ",
                       countText(prior->value));
}

std::string tradeOffSentence(const EvaluationSummary& summary, std::size_t cell) {
    const std::string utility = utilityClause(summary, cell, summary.options.classifiers.front());
    const std::string risk = riskClause(summary, cell);
    return sentenceAt(
        summary, cell, ":",
        fmt::format("{}{}{}", utility, utility.empty() || risk.empty() ? "" : "; ", risk));
}

std::string attackerSentence(const EvaluationSummary& summary, std::size_t cell) {
    return sentenceAt(summary, cell, "", riskClause(summary, cell));
}

}  // namespace epsilens::report
