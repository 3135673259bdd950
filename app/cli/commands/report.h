#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `report` as typed; empty if not given.
struct ReportArguments {
    std::string from{};
    std::string format{};  ///< markdown, html or json; if empty, from the output name
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
    std::string sections{};  ///< names separated by commas
};

/// Writes a report about a calibration, report or session. Typed options override the file.
///
/// outputPath  of -o; its ending selects the format if none was typed
[[nodiscard]] Result<CommandResult> runReport(const ReportArguments& arguments,
                                              const std::string& outputPath,
                                              const CommandContext& context);

}  // namespace epsilens::cli
