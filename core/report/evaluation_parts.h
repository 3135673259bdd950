#pragma once

#include <string>
#include <vector>

#include "core/evaluation/evaluation.h"

/// Pieces that the reports of an evaluation share.
namespace epsilens::report {

/// "0.783 (0.771 to 0.795)"; without an interval where there is none.
[[nodiscard]] std::string intervalText(const corpus::Measured& figure);

/// "Partial: 2 of 5 repeats of the classification were finished." Of a run that was cancelled.
[[nodiscard]] std::string partialSentence(const evaluation::EvaluationSummary& summary);

/// "λ 0.5" or "β 0.001": what tells the families of a run apart; empty where there is one only.
[[nodiscard]] std::string familyText(const evaluation::EvaluationSummary& summary,
                                     const evaluation::EvaluationCell& cell);

/// "5,574 documents of 2 classes …": what was measured on, a sentence each.
[[nodiscard]] std::vector<std::string> dataSentences(const evaluation::EvaluationSummary& summary);

/// "ε 5, λ 0.5"
[[nodiscard]] std::string settingText(const evaluation::EvaluationSummary& summary,
                                      const evaluation::EvaluationCell& cell);

}  // namespace epsilens::report
