#pragma once

#include <string>

#include "core/report/report_model.h"

namespace epsilens::report {

/// A report as plain text, for a terminal; figures appear as their captions and tables.
[[nodiscard]] std::string reportText(const ReportContent& content);

}  // namespace epsilens::report
