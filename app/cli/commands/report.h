#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/limits.h"
#include "core/document/report_settings.h"
#include "core/experiment/figure_limit.h"
#include "core/release/policies.h"

namespace epsilens::cli {

enum class ReportFormat { text, html, json };

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
    std::optional<double> epsilon{};  ///< of the chosen setting
    std::optional<double> lambda{};
    std::optional<double> gamma{};
    std::vector<calibration::Limit> limits{};
    std::vector<experiment::FigureLimit> figureLimits{};
    bool memoOnly = false;                   ///< without the appendix
    std::vector<std::string> evaluations{};  ///< files that take the place of those of the report
};

void addReport(TypedOptions& options, GeneralOptions& general, ReportOptions& report);

/// Writes a report about a calibration, report or session.
[[nodiscard]] Result<CommandResult> runReport(const ReportOptions& options,
                                              const CommandContext& context);

}  // namespace epsilens::cli
