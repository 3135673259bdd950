#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"
#include "core/report/report_model.h"

namespace epsilens::report {

inline constexpr std::string_view kReportSchema = "epsilens.report/1";

/// A report as the document "epsilens.report/1": what the analyst added, what follows from it, and
/// the whole calibration. Keys in a fixed order. Fails as findingsOf.
[[nodiscard]] Result<std::string> reportJson(const Report& report);

[[nodiscard]] Result<nlohmann::ordered_json> reportDocument(const Report& report,
                                                            document::Purpose purpose);

/// Reads it back strictly; findings and statements are not read, they follow from the rest. Fails
/// with badFile.
[[nodiscard]] Result<Report> readReport(std::string_view json);
/// The same for a document that is open already, whose problem it becomes.
[[nodiscard]] Report readReport(const document::JsonNode& document);

}  // namespace epsilens::report
