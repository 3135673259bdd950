#pragma once

#include <string>
#include <string_view>

#include "core/report/report_model.h"

namespace epsilens::report {

inline constexpr std::string_view kReportSchema = "epsilens.report/1";

/// A report as the document "epsilens.report/1": what the analyst added, what follows from it, and
/// the whole calibration. Keys in a fixed order. Fails as findingsOf.
[[nodiscard]] Result<std::string> reportJson(const Report& report);

/// Reads it back strictly; the findings are not read, they follow from the rest. Fails with
/// badFile.
[[nodiscard]] Result<Report> readReport(std::string_view json);

}  // namespace epsilens::report
