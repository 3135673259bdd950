#pragma once

#include "app/cli/team.h"

namespace epsilens::cli {

/// Runs a command line: parses it, runs its command, writes the results and says what went wrong.
///
/// team  that runs it together, in every process of it; null: this process alone
/// Returns the exit code (exit_codes.h).
[[nodiscard]] int runProgram(int argc, char** argv, Team* team = nullptr);

}  // namespace epsilens::cli
