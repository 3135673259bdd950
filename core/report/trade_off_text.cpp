#include "core/report/trade_off_text.h"

#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/evaluation/trade_off.h"
#include "core/report/evaluation_parts.h"
#include "core/report/memo_words.h"

namespace epsilens::report {
namespace {

using evaluation::ClassifierKind;
using evaluation::Estimate;
using evaluation::EvaluationSummary;
using evaluation::Measure;

/// "24", or "6.2" below ten: a share as a count out of 100.
std::string countText(double share) {
    constexpr double kFew = 9.95;
    const double count = 100.0 * share;
    return count < kFew ? fmt::format("{:.1f}", count) : fmt::format("{:.0f}", count);
}

/// "95 % interval 76 to 80"; empty without one.
std::string intervalWords(const CountWords& count) {
    return count.low.empty() ? std::string()
                             : fmt::format("95% interval {} to {}", count.low, count.high);
}

/// Texts in brackets, those that are not empty.
std::string bracketed(const std::string& first, const std::string& second) {
    return fmt::format(" ({}{}{})", first, first.empty() || second.empty() ? "" : "; ", second);
}

/// "91 of 100 texts still get the right class …"
std::string utilityClause(const EvaluationSummary& summary, std::size_t cell,
                          std::size_t classifier) {
    const Estimate& accuracy = summary.cells[cell].classify[classifier].of(Measure::accuracy);
    const CountWords right = shareWords(accuracy.mean, accuracy.ci95, 0.0);
    const double unprotected = summary.original[classifier].of(Measure::accuracy).mean;
    const std::string& commonest = summary.data.commonest;
    return fmt::format(
        "{} of 100 texts still get the right class{}; always saying {} would be right for {}, "
        "without protection {} are right",
        right.value,
        bracketed(classifierWords(summary.options.classifiers[classifier]), intervalWords(right)),
        commonest.empty() ? "the commonest class" : fmt::format("\"{}\"", commonest),
        countText(summary.majority), countText(unprotected));
}

struct WordGuesses {
    const attack::Figure* best = nullptr;
    const attack::Figure* prior = nullptr;
};

/// Of the attackers who guess words; nothing where they were not measured.
std::optional<WordGuesses> wordGuesses(const EvaluationSummary& summary, std::size_t cell) {
    const auto* attack = evaluation::attackOf(summary, attack::Task::reconstruct);
    if (attack == nullptr || !attack->cells[cell]) {
        return std::nullopt;
    }
    const WordGuesses guesses{figureAt(*attack->cells[cell], "best"),
                              figureAt(*attack->cells[cell], "prior")};
    return guesses.best != nullptr && guesses.prior != nullptr ? std::optional(guesses)
                                                               : std::nullopt;
}

/// "the best attacker guesses 25 of 100 words (95 % interval 24 to 26; 3.5 without the release)"
std::string riskClause(const EvaluationSummary& summary, std::size_t cell,
                       const std::string& unprotected) {
    const auto guesses = wordGuesses(summary, cell);
    if (!guesses) {
        return {};
    }
    const CountWords best = shareWords(guesses->best->value, guesses->best->ci95, 0.0);
    return fmt::format(
        "the best attacker guesses {} of 100 words{}", best.value,
        bracketed(intervalWords(best), fmt::format("{} without the release{}",
                                                   countText(guesses->prior->value), unprotected)));
}

/// "At ε 8.3, λ 0.5: …."; empty without clauses.
///
/// mark  behind the setting
std::string sentenceAt(const EvaluationSummary& summary, std::size_t cell, std::string_view mark,
                       const std::string& clauses) {
    if (clauses.empty()) {
        return {};
    }
    const std::string family = familyText(summary, summary.cells[cell]);
    return fmt::format("At ε {}{}{}{} {}.", formatNumber(summary.cells[cell].epsilon),
                       family.empty() ? "" : ", ", family, mark, clauses);
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
    const std::string utility = classifier < summary.original.size()
                                    ? utilityClause(summary, cell, classifier)
                                    : std::string();
    const std::string risk = riskClause(summary, cell, ", all without protection");
    return sentenceAt(
        summary, cell, ":",
        fmt::format("{}{}{}", utility, utility.empty() || risk.empty() ? "" : "; ", risk));
}

std::string attackerSentence(const EvaluationSummary& summary, std::size_t cell) {
    return sentenceAt(summary, cell, "", riskClause(summary, cell, {}));
}

}  // namespace epsilens::report
