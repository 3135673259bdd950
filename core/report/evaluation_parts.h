#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/evaluation.h"

/// Pieces that the reports of an evaluation share.
namespace epsilens::report {

/// Whether a repeat of the classification was finished.
[[nodiscard]] bool isClassified(const experiment::EvaluationSummary& summary);

/// "0.783"; "–" for what does not exist.
[[nodiscard]] std::string shareText(const experiment::Estimate& estimate);
/// "0.783 (0.771 to 0.795)"; without an interval where there is none.
[[nodiscard]] std::string intervalText(const experiment::Estimate& estimate);

/// "λ 0.5" or "β 0.001": what tells the families of a run apart; empty where there is one only.
[[nodiscard]] std::string familyText(const experiment::EvaluationSummary& summary,
                                     const experiment::EvaluationCell& cell);

/// "5,574 documents of 2 classes …": what was measured on, a sentence each.
[[nodiscard]] std::vector<std::string> dataSentences(const experiment::EvaluationSummary& summary);

/// The finding about a classifier: the smallest epsilon of each family from which on all intervals
/// of the accuracy lie above nine tenths of the way from floor to ceiling.
[[nodiscard]] std::vector<std::string> findings(const experiment::EvaluationSummary& summary,
                                                std::size_t classifier);

/// How many of the comparisons at equal epsilon came out how; empty without comparisons.
[[nodiscard]] std::string differencesSentence(const experiment::EvaluationSummary& summary,
                                              std::size_t classifier);

/// What such an experiment does not show.
[[nodiscard]] std::vector<std::string> limitsOfEvaluation();

}  // namespace epsilens::report
