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

/// Everything that can be typed.
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

/// What a command line comes to: a text to print, a problem, or a command to run.
struct CommandLine {
    Arguments arguments{};
    std::string command{};  ///< empty when none was recognised
    std::string text{};     ///< help or version, when asked for
    std::string problem{};  ///< what is wrong with it
};

/// Takes a command line apart. The only place that knows the library it is done with.
[[nodiscard]] CommandLine parseCommandLine(int argc, char** argv);

}  // namespace epsilens::cli
