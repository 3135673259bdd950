#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::evaluation {

/// Texts of the first repeat of an evaluation, as CSV: those from which its classifiers learn, and
/// the test texts with draws of their own. For study from a seed, never for release: who knows the
/// seed can draw the same noise again.
class StudyText {
public:
    explicit StudyText(const corpus::DataSet& data);

    /// Appends the texts of every setting of an evaluation. Fails with cancelled, and with
    /// resourceLimit when the table needs more memory than is free.
    [[nodiscard]] Result<void> append(const Evaluation& evaluation, const JobContext& job = {});

    /// The columns mechanism, epsilon, lambda, gamma, beta, number (of the document, from 1),
    /// split, text, and label and author where documents have them.
    [[nodiscard]] const std::string& csv() const { return m_csv; }

private:
    std::string m_csv{};
};

/// Whether the name of a file says that it holds study text: it contains "study". Fails with
/// invalidArgument.
[[nodiscard]] Result<void> checkStudyName(const std::string& path);

}  // namespace epsilens::evaluation
