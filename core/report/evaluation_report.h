#pragma once

#include <cstddef>
#include <string>

#include "core/document/evaluation_document.h"
#include "core/report/report_model.h"

namespace epsilens::report {

/// An evaluation for a terminal: what was measured on, the reference lines, a row for each setting,
/// and which shapes of the noise make a difference.
[[nodiscard]] std::string evaluationText(const document::EvaluationRecord& record);

/// A line for each setting and classifier, with the reference lines first, whose epsilon is empty.
/// Where there are attacks: a line for each figure of each condition and task.
[[nodiscard]] std::string evaluationCsv(const document::EvaluationRecord& record);

/// Scores of a classifier: a row for each reference line and each setting.
///
/// classifier  index into the classifiers asked for, of a finished classification
[[nodiscard]] Table classificationTable(const experiment::EvaluationSummary& summary,
                                        std::size_t classifier);

/// A page to judge by: the finding in words, figures, tables, and what the figures do not show.
[[nodiscard]] std::string evaluationHtml(const document::EvaluationRecord& record);

}  // namespace epsilens::report
