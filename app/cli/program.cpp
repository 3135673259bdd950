#include "app/cli/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/commands/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/parser/command_line.h"
#include "core/base/error.h"
#include "core/calibration/provenance.h"
#include "core/document/json_parts.h"
#include "core/io/output.h"

namespace epsilens::cli {
namespace {

using namespace std::chrono_literals;

/// How long a process of a team may go on after a signal: one that waits for another one, or cannot
/// stop, would hold up all, since not every launcher ends them.
constexpr auto kLongestStopOfTeam = 1800ms;

/// The format asked for, readable even when the rest of the command line is not.
bool asksForJson(std::span<char*> typed) {
    bool json = false;
    for (std::size_t i = 1; i < typed.size(); ++i) {
        const std::string_view argument = typed[i];
        if (argument == "--format" && i + 1 < typed.size()) {
            json = std::string_view(typed[i + 1]) == "json";
        } else if (argument.substr(0, 9) == "--format=") {
            json = argument.substr(9) == "json";
        }
    }
    return json;
}

/// The options of this program that implement a remedy.
std::string_view optionsFor(Remedy remedy) {
    switch (remedy) {
        case Remedy::fewerRows:
            return " (--limit-rows or --vocabulary)";
        case Remedy::givenFormat:
            return " (or --input-format glove)";
        case Remedy::none:
            break;
    }
    return {};
}

int reportError(Error error, bool json, Console& console) {
    error.message += optionsFor(error.remedy);
    // Messages of the core do not name the file.
    std::string message = error.message;
    if (!error.file.empty()) {
        message = error.line > 0 ? fmt::format("{}:{}: {}", error.file, error.line, message)
                                 : fmt::format("{}: {}", error.file, message);
    }
    const ExitCode code = exitCodeOf(error.code);
    console.error(message);
    if (json) {
        // The error is already on standard error; a second failure adds nothing.
        [[maybe_unused]] const auto written =
            io::writeAll(STDOUT_FILENO, document::errorJson(error, code), "standard output");
    }
    return code;
}

/// The error of a command that has no results. Says of an interruption which command it ended.
Error withoutResults(const std::string& command, const Error& error) {
    if (error.code != ErrorCode::cancelled) {
        return error;
    }
    const std::string during =
        error.message == "cancelled" ? std::string() : fmt::format(" ({})", error.message);
    return Error{ErrorCode::cancelled,
                 fmt::format("interrupted: {} ended before it had results{}; nothing was written",
                             command, during),
                 error.file, error.line};
}

/// How much memory the work took when there was no more, which is the least that it needs, and what
/// can be done.
Error outOfMemory() {
    return Error{ErrorCode::resourceLimit,
                 fmt::format("out of memory: the work took {} MiB and needs more than that, which "
                             "the system did not give; close other programs, raise a limit (ulimit "
                             "-v), or take fewer "
                             "rows (--limit-rows), words, draws or threads",
                             calibration::peakMemoryMiB()),
                 {},
                 0};
}

tl::unexpected<Error> internalError(const std::exception& exception) {
    return fail(ErrorCode::internal,
                fmt::format("internal error: {}; please report it", exception.what()));
}

/// Runs a command, from its session to written results.
Result<CommandResult> runCommand(CommandLine line, Team* team, const std::stop_token& stop,
                                 Console& console) try {
    if (const auto completed = completeBySession(line, stop); !completed) {
        return tl::unexpected(withoutResults(line.command, completed.error()));
    }
    if (team != nullptr) {
        RETURN_IF_ERROR(team->check());
    }
    const GeneralOptions& general = line.arguments.general;
    RETURN_IF_ERROR(checkOutput(general.outputPath));
    auto result = line.run(line.arguments, {general, console, stop, team});
    // A launcher may leave no time for more: processes together have whole results or none.
    if (result && result->interrupted && team != nullptr) {
        result = fail(ErrorCode::cancelled, "cancelled");
    }
    if (!result) {
        return tl::unexpected(withoutResults(line.command, result.error()));
    }
    if (!result->isWritten) {
        RETURN_IF_ERROR(writeOutput(general.outputPath, result->text, stop));
    }
    return result;
} catch (const std::bad_alloc&) {
    return tl::unexpected(outOfMemory());
} catch (const std::system_error& error) {
    // The C++ library reports in this way that no thread can be started.
    return error.code() == std::errc::resource_unavailable_try_again ? tl::unexpected(outOfMemory())
                                                                     : internalError(error);
} catch (const std::exception& exception) {
    return internalError(exception);
}

/// Whether the same is wrong in the first process of a team, which says it: all have the same
/// inputs and come to the same results.
bool isCommon(ErrorCode code) {
    return code == ErrorCode::invalidArgument || code == ErrorCode::unsupported ||
           code == ErrorCode::limitsNotMet;
}

/// Whether another process than the first of a team shall say why it fails: gives the first one
/// time to say the same and to end all, which requests the stop.
bool isLeftToSay(const std::stop_token& stop) {
    constexpr auto kStep = 20ms;
    for (auto waited = 0ms; waited < 2s && !stop.stop_requested(); waited += kStep) {
        std::this_thread::sleep_for(kStep);
    }
    return !stop.stop_requested();
}

int run(const CommandLine& line, Team* team, const std::stop_token& stop, bool json) {
    const bool isFirst = team == nullptr || team->isFirst();
    Console console;
    console.setQuiet(line.arguments.general.quiet || !isFirst);
    console.forceProgress(line.arguments.general.progress);
    const auto result = runCommand(line, team, stop, console);
    if (!result && !isFirst) {
        if (team->isDone()) {
            return kDone;
        }
        if (isCommon(result.error().code)) {
            return kUsage;
        }
        if (!isLeftToSay(stop)) {
            return kInterrupted;
        }
    }
    if (!result) {
        return reportError(result.error(), json, console);
    }
    if (result->interrupted) {
        console.warning("interrupted: the results are partial");
        return kInterrupted;
    }
    if (result->problem) {
        console.error(result->problem->message);
        return exitCodeOf(result->problem->code);
    }
    return kDone;
}

int parseAndRun(std::span<char*> typed, Team* team) {
    const bool isFirst = team == nullptr || team->isFirst();
    const InterruptWatcher interrupts(team != nullptr ? kLongestStopOfTeam : 0ms);
    const bool json = asksForJson(typed);
    Console console;
    const CommandLine line = parseCommandLine(typed, team != nullptr);
    if (!line.text.empty() && isFirst) {
        const auto written = io::writeAll(STDOUT_FILENO, line.text, "standard output");
        return written ? static_cast<int>(kDone) : reportError(written.error(), false, console);
    }
    if (!line.text.empty()) {
        return kDone;
    }
    if (line.problem) {
        return isFirst ? reportError(*line.problem, json, console)
                       : static_cast<int>(exitCodeOf(line.problem->code));
    }
    return run(line, team, interrupts.token(), json);
}

}  // namespace

int runProgram(int argc, char** argv, Team* team) try {
    // A closed pipe or a limit on file sizes shall make the write fail, which is reported,
    // instead of killing the process by a signal.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    reserveStandardStreams();
    return parseAndRun({argv, static_cast<std::size_t>(argc)}, team);
} catch (...) {
    // Out of memory before a command started: formatting a message would fail as well.
    constexpr std::string_view kMessage =
        "error: out of memory before the work began; close other programs or raise a limit "
        "(ulimit -v)\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    std::_Exit(kFailed);
}

}  // namespace epsilens::cli
