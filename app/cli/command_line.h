#pragma once

#include <string>

#include "app/cli/commands/calibrate.h"
#include "app/cli/commands/guarantee.h"
#include "app/cli/commands/info.h"
#include "app/cli/commands/recommend.h"
#include "app/cli/commands/report.h"
#include "app/cli/commands/sample.h"
#include "app/cli/commands/sanitize.h"
#include "app/cli/commands/train_poincare.h"
#include "app/cli/commands/verify.h"
#include "app/cli/general_options.h"

namespace epsilens::cli {

/// The arguments of all commands.
struct Arguments {
    GeneralArguments general{};
    InfoArguments info{};
    CalibrateArguments calibrate{};
    GuaranteeArguments guarantee{};
    RecommendArguments recommend{};
    SampleArguments sample{};
    SanitizeArguments sanitize{};
    TrainPoincareArguments trainPoincare{};
    ReportArguments report{};
    VerifyArguments verify{};
};

/// A parsed command line: a text to print, a problem, or a command to run.
struct CommandLine {
    Arguments arguments{};
    std::string command{};  ///< empty if none was recognised
    std::string text{};     ///< help or version, if requested
    std::string problem{};  ///< error message; empty if the command line is valid
};

/// Parses a command line. Only this file uses CLI11.
[[nodiscard]] CommandLine parseCommandLine(int argc, char** argv);

}  // namespace epsilens::cli
