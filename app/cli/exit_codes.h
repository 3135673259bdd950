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

[[nodiscard]] constexpr ExitCode exitCodeOf(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalidArgument:
            return kUsage;
        case ErrorCode::badFile:
            return kBadInputFile;
        case ErrorCode::limitsNotMet:
            return kLimitsNotMet;
        case ErrorCode::cancelled:
            return kInterrupted;
        case ErrorCode::ioFailed:
        case ErrorCode::unsupported:
        case ErrorCode::resourceLimit:
        case ErrorCode::internal:
            break;
    }
    return kFailed;
}

}  // namespace epsilens::cli
