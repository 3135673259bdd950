#pragma once

#include <cstddef>
#include <string>

#include "core/evaluation/evaluation.h"
#include "core/report/memo_words.h"

namespace epsilens::report {

/// What an evaluation found at a setting, in a sentence: what the task keeps, what the best
/// attacker guesses, each with its interval and with what it is to be compared with.
///
/// cell  index into the cells of the summary
/// Returns an empty sentence where neither was measured.
[[nodiscard]] std::string tradeOffSentence(const evaluation::EvaluationSummary& summary,
                                           std::size_t cell);

/// Its clauses; empty where that was not measured: "91 of 100 texts still get the right class …",
/// "the best attacker guesses 25 of 100 words …".
[[nodiscard]] std::string utilityClause(const evaluation::EvaluationSummary& summary,
                                        std::size_t cell, evaluation::ClassifierKind classifier);
[[nodiscard]] std::string riskClause(const evaluation::EvaluationSummary& summary,
                                     std::size_t cell);

/// The sentence about the attacker who guesses words alone; empty where none was measured.
[[nodiscard]] std::string attackerSentence(const evaluation::EvaluationSummary& summary,
                                           std::size_t cell);

/// "95% interval 76 to 80"; empty without one.
[[nodiscard]] std::string intervalWords(const CountWords& count);

/// "a linear classifier of the words"
[[nodiscard]] std::string classifierWords(evaluation::ClassifierKind classifier);

}  // namespace epsilens::report
