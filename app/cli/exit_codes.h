#pragma once

#include "core/base/error.h"

namespace epsilens::cli {

/// Exit codes that scripts rely on.
enum ExitCode : int {
    kDone = 0,
    kFailed = 1,
    kUsage = 2,
    kLimitsNotMet = 3,
    kBadInputFile = 4,
    kInterrupted = 130
};

[[nodiscard]] ExitCode exitCodeOf(ErrorCode code);

}  // namespace epsilens::cli
