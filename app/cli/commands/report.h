#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `report` as typed; empty where not given.
struct ReportArguments {
    std::string from{};
    std::string format{};  ///< markdown, html, json; else by the ending of the output
    std::string title{};
    std::string purpose{};
    std::string author{};
    std::string date{};
    std::string reason{};
    std::string alternatives{};
    std::string trainedOnProtectedText{};  ///< yes or no
    std::string textSource{};
    std::optional<std::string> unknownWords{};  ///< a policy of --unknown
    std::string epsilon{};                      ///< the chosen setting
    std::string lambda{};
    std::string gamma{};
    std::vector<std::string> limits{};
    std::string sections{};  ///< names with commas between them
};

/// A calibration, report or session as a report. What is typed goes before what the file holds.
///
/// outputPath  of -o, whose ending chooses the format when none was typed
[[nodiscard]] Result<CommandResult> runReport(const ReportArguments& arguments,
                                              const std::string& outputPath,
                                              const CommandContext& context);

}  // namespace epsilens::cli
