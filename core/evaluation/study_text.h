#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::evaluation {

/// Texts of the first repeat of an evaluation at every setting, as CSV: those from which its
/// classifiers learn, and the test texts with draws of their own. The columns are mechanism,
/// epsilon, lambda, gamma, beta, number (of the document, from 1), split, label and author where
/// documents have them, text. For study from a seed, never for release: who knows the seed can draw
/// the same noise again. Fails with cancelled, and with resourceLimit when the table needs more
/// memory than is free.
[[nodiscard]] Result<std::string> studyText(const Evaluation& evaluation,
                                            const JobContext& job = {});

/// Whether the name of a file says that it holds study text: it contains "study". Fails with
/// invalidArgument.
[[nodiscard]] Result<void> checkStudyName(const std::string& path);

}  // namespace epsilens::evaluation
