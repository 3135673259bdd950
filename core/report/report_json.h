#pragma once

#include <string>

#include "core/base/error.h"
#include "core/document/report_document.h"

namespace epsilens::report {

/// A report as the document "epsilens.report/1", with its statements in the words of the other
/// formats. Fails as document::reportDocument.
[[nodiscard]] Result<std::string> reportJson(const document::Report& report);

}  // namespace epsilens::report
