#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/experiment/evaluation.h"
#include "core/report/plot.h"
#include "core/report/report_model.h"

/// Pieces that the reports of an evaluation share.
namespace epsilens::report {

/// Whether a repeat of the classification was finished.
[[nodiscard]] bool isClassified(const experiment::EvaluationSummary& summary);

/// "0.783"; "–" for what does not exist.
[[nodiscard]] std::string shareText(const experiment::Estimate& estimate);
/// "0.783 (0.771 to 0.795)"; without an interval where there is none.
[[nodiscard]] std::string intervalText(const experiment::Estimate& estimate);

/// "Partial: 2 of 5 repeats of the classification were finished." Of a run that was cancelled.
[[nodiscard]] std::string partialSentence(const experiment::EvaluationSummary& summary);

/// "λ 0.5" or "β 0.001": what tells the families of a run apart; empty where there is one only.
[[nodiscard]] std::string familyText(const experiment::EvaluationSummary& summary,
                                     const experiment::EvaluationCell& cell);

/// "5,574 documents of 2 classes …": what was measured on, a sentence each.
[[nodiscard]] std::vector<std::string> dataSentences(const experiment::EvaluationSummary& summary);

/// "ε 5, λ 0.5"
[[nodiscard]] std::string settingText(const experiment::EvaluationSummary& summary,
                                      const experiment::EvaluationCell& cell);

/// A line of a drawing without points: label, colour and marker of a family.
///
/// cell       one of the family
/// family     its number
/// otherwise  label where there is one family only
[[nodiscard]] PlotLine familyLine(const experiment::EvaluationSummary& summary, std::size_t cell,
                                  std::size_t family, const std::string& otherwise);

/// How many of the comparisons at equal epsilon came out how; empty without comparisons.
[[nodiscard]] std::string differencesSentence(const experiment::EvaluationSummary& summary,
                                              std::size_t classifier);
/// The same comparisons one by one.
[[nodiscard]] Table differencesTable(const experiment::EvaluationSummary& summary,
                                     std::size_t classifier);

/// What such an experiment does not show.
[[nodiscard]] std::vector<std::string> limitsOfEvaluation();

}  // namespace epsilens::report
