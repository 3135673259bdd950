#include "app/cli/exit_codes.h"

namespace epsilens::cli {

ExitCode exitCodeOf(ErrorCode code) {
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
