#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/limits.h"
#include "core/document/report_settings.h"
#include "core/release/policies.h"

namespace epsilens::cli {

enum class ReportFormat { markdown, html, json };

/// Reads the names of --format. Fails with invalidArgument.
[[nodiscard]] Result<ReportFormat> parseReportFormat(std::string_view name);

/// Options of `report`. What is not given stays as it is in the file.
struct ReportOptions {
    std::string from{};
    std::optional<ReportFormat> format{};  ///< nothing: from the output name
    std::string title{};
    std::string purpose{};
    std::string author{};
    std::string date{};
    std::string reason{};
    std::string alternatives{};
    std::optional<document::ReportSettings::Answer> trainedOnProtectedText{};
    std::string textSource{};
    std::optional<release::UnknownPolicy> unknownWords{};
    std::optional<calibration::Choice> choice{};
    std::vector<calibration::Limit> limits{};
    std::vector<document::SectionId> sections{};
};

/// Writes a report about a calibration, report or session.
[[nodiscard]] Result<CommandResult> runReport(const ReportOptions& options,
                                              const CommandContext& context);

}  // namespace epsilens::cli
