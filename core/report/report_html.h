#pragma once

#include <string>

#include "core/report/report_model.h"

namespace epsilens::report {

/// A report as one HTML file that needs nothing else: styles and drawings are inside, there are no
/// scripts. Light, also on dark desktops, and arranged for A4 paper. It is well-formed XML. Every
/// section has a box to tick while reading.
[[nodiscard]] std::string reportHtml(const ReportContent& content);

}  // namespace epsilens::report
