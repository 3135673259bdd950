#pragma once

#include <cstddef>
#include <string>

#include "core/document/evaluation_document.h"
#include "core/report/report_model.h"

namespace epsilens::report {

/// Scores of a classifier: a row for each reference line and each setting.
///
/// classifier  index into the classifiers asked for, of a finished classification
[[nodiscard]] Table classificationTable(const experiment::EvaluationSummary& summary,
                                        std::size_t classifier);

/// A page to judge by: the finding in words, figures, tables, and what the figures do not show.
[[nodiscard]] ReportContent evaluationPage(const document::EvaluationRecord& record);

}  // namespace epsilens::report
