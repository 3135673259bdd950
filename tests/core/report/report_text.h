#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/report_model.h"

namespace epsilens::test {

/// The memo's sections, then those of the appendix.
[[nodiscard]] std::vector<report::Section> sectionsOf(const report::ReportContent& content);

/// All that the section of a report with this key says, a block a line; what is emphasised behind a
/// "!". Of "summary", all before what is not protected.
[[nodiscard]] std::string sectionText(const document::Report& report, std::string_view key);

/// A report on exampleRun(summary) that chooses its first setting.
[[nodiscard]] document::Report reportOn(const calibration::CalibrationSummary& summary);

}  // namespace epsilens::test
