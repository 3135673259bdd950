#pragma once

#include <cstddef>
#include <string>

#include "core/evaluation/evaluation.h"

namespace epsilens::report {

/// What an evaluation found at a setting, in a sentence: what the task keeps, what the best
/// attacker guesses, each with its interval and with what it is to be compared with.
///
/// cell        index into the cells of the summary
/// classifier  index into the classifiers asked for; of no matter without a classification
/// Returns an empty sentence where neither was measured.
[[nodiscard]] std::string tradeOffSentence(const evaluation::EvaluationSummary& summary,
                                           std::size_t cell, std::size_t classifier);

/// The part of it about the attacker who guesses words; empty where none was measured.
[[nodiscard]] std::string attackerSentence(const evaluation::EvaluationSummary& summary,
                                           std::size_t cell);

/// "a linear classifier of the words"
[[nodiscard]] std::string classifierWords(evaluation::ClassifierKind classifier);

}  // namespace epsilens::report
