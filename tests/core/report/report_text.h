#pragma once

#include <string>
#include <vector>

#include "core/report/report_model.h"

namespace epsilens::test {

/// The memo's sections, then those of the appendix.
[[nodiscard]] std::vector<report::Section> sectionsOf(const report::ReportContent& content);

/// All that a part of a report says, a block a line; what is emphasised behind a "!".
[[nodiscard]] std::string sectionText(document::Report report, document::SectionId section);

/// A report on exampleRun(summary) that chooses its first setting.
[[nodiscard]] document::Report reportOn(const calibration::CalibrationSummary& summary);

}  // namespace epsilens::test
