#pragma once

#include "core/base/crew.h"
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

/// Processes that run one command line together. All of them open the embedding and prepare the
/// run; the first one says what there is to say and has the results.
class Team : public Crew {
public:
    [[nodiscard]] virtual bool isFirst() const = 0;
    /// Whether the team can run with options that were parsed; else what is wrong.
    [[nodiscard]] virtual Result<void> check() const = 0;
    /// Whether no process needs this one any more.
    [[nodiscard]] virtual bool isDone() const = 0;
};

/// Runs a command line: parses it, runs its command, writes the results and says what went wrong.
///
/// team  that runs it together, in every process of it; null: this process alone
/// Returns the exit code.
[[nodiscard]] int runProgram(int argc, char** argv, Team* team = nullptr);

}  // namespace epsilens::cli
