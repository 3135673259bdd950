#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/evaluation_document.h"
#include "core/evaluation/evaluation.h"
#include "core/report/report_model.h"

/// What evaluations measured, as tables and drawings.
namespace epsilens::report {

/// "How often would an attacker guess the word?"
[[nodiscard]] std::string attackTitle(attack::Task task);

/// Scores of a classifier: a row for each reference line and each setting.
///
/// classifier  index into the classifiers asked for, of a finished classification
[[nodiscard]] Table classificationTable(const evaluation::EvaluationSummary& summary,
                                        evaluation::ClassifierKind classifier);
/// The same of what attackers of a task reached.
[[nodiscard]] Table attackTable(const evaluation::EvaluationSummary& summary,
                                const attack::AttackResults& attack);

/// Everything that was measured: drawings over epsilon, then of each classifier and each attack its
/// table, how useful a setting is against what it costs, and what the attackers were assumed to
/// know.
///
/// chosen  whose lambda and radius the drawings over epsilon are of; null: one of each
[[nodiscard]] std::vector<Section> evaluationSections(const evaluation::EvaluationSummary& summary,
                                                      const calibration::Cell* chosen = nullptr);

/// Index of the cell with the smallest epsilon of a family from which on every one of its settings
/// surely keeps nine tenths of what the replaced words are worth to a classifier: the lower end of
/// the 95 % interval of what it retains is at least 0.9, or its accuracy is that of the ceiling in
/// every repeat. Nothing where there is none.
[[nodiscard]] std::optional<std::size_t> firstThatWorks(
    const evaluation::EvaluationSummary& summary, const evaluation::SettingFamily& family,
    evaluation::ClassifierKind classifier);

/// A page to judge by: for each family of settings at which epsilon the task still works, what the
/// best attackers reach and what is promised there; then all that was measured, and what the
/// figures do not show.
[[nodiscard]] ReportContent evaluationPage(const document::EvaluationRecord& record);

}  // namespace epsilens::report
