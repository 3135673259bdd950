#pragma once

#include <string>

#include "core/report/report_model.h"

namespace epsilens::report {

/// A report in Markdown with the tables of GitHub's dialect; figures appear as their tables.
[[nodiscard]] std::string reportMarkdown(const ReportContent& content);

}  // namespace epsilens::report
