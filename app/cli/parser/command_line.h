#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "app/cli/commands/commands.h"
#include "core/base/error.h"

namespace epsilens::cli {

/// Runs one command with its part of the arguments.
using RunCommand = Result<CommandResult> (*)(const Arguments& arguments,
                                             const CommandContext& context);

/// A parsed command line: a text to print, a problem, or a command to run.
struct CommandLine {
    std::span<char*> typed{};  ///< must outlive it
    bool isForTeam = false;    ///< see parseCommandLine
    Arguments arguments{};
    std::string command{};           ///< empty if none was recognised
    RunCommand run = nullptr;        ///< of the command
    std::string text{};              ///< help or version, if requested
    std::optional<Error> problem{};  ///< nothing if the command line is valid
};

/// Parses a command line. Where it names a session, arguments are complete only after
/// completeBySession: values may be refused there that are not refused here.
///
/// isForTeam  of epsilens-mpi, which has the commands that several processes can share
[[nodiscard]] CommandLine parseCommandLine(std::span<char*> typed, bool isForTeam = false);

/// Opens the session that a command line names; arguments that are not typed get its values: the
/// embedding and the seed, the next calibration for calibrate and recommend, the current setting
/// and the policies for the others. Nothing to do if none is named. Fails as document::openSession,
/// with badFile if the session names a file that is a pipe or a device, and with invalidArgument.
[[nodiscard]] Result<void> completeBySession(CommandLine& line, const std::stop_token& stop = {});

}  // namespace epsilens::cli
