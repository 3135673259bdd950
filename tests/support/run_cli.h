#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "tests/support/temporary_folder.h"

namespace epsilens::test {

/// What the program left behind.
struct CliResult {
    int exitCode = -1;     ///< -1: ended by a signal
    std::string output{};  ///< standard output
    std::string errors{};  ///< standard error
};

/// How to start it.
struct CliSetup {
    std::string input{};  ///< standard input
    /// Exactly these variables, "NAME=value"; nothing: those of the test.
    std::optional<std::vector<std::string>> environment{};
    bool closeOutput = false;  ///< start without a standard output
    std::string outputPath{};  ///< standard output goes to this file; empty: to CliResult
    /// Standard output is a pipe that nobody reads before the end of the program.
    bool leaveOutputUnread = false;
    bool keepInputOpen = false;      ///< standard input is a pipe that nothing comes from
    std::string workingDirectory{};  ///< absolute; empty: that of the test
    /// A command with its arguments that starts the program in its turn, such as one that limits
    /// it; empty: none.
    std::vector<std::string> wrapper{};
};

/// A run of the built program in a process of its own.
class CliProcess {
public:
    explicit CliProcess(const std::vector<std::string>& arguments, const CliSetup& setup = {});
    /// Kills the process when it still runs.
    ~CliProcess();
    CliProcess(const CliProcess&) = delete;
    CliProcess& operator=(const CliProcess&) = delete;

    /// Waits until standard error holds a text; false when the process ends or some minutes pass
    /// before.
    [[nodiscard]] bool waitForErrors(std::string_view text);
    /// Waits until the program sleeps at every look for a tenth of a second; where its output is
    /// left unread, on one that takes no more, for half a second. False when the process ends or
    /// some minutes pass before.
    [[nodiscard]] bool waitUntilItRests();
    /// Waits until the program has a handler for a signal; false as above.
    [[nodiscard]] bool waitUntilItCatches(int signal);
    /// Whether the process ends by itself before so much time has passed.
    [[nodiscard]] bool endsWithin(std::chrono::milliseconds time);
    void sendSignal(int number) const;
    /// Waits for the end.
    [[nodiscard]] CliResult finish();

private:
    /// Waits for a state; false when the process ends or so much time passes before.
    [[nodiscard]] bool comesTo(const std::function<bool()>& state,
                               std::chrono::milliseconds patience = std::chrono::minutes(5));
    [[nodiscard]] bool ended();
    [[nodiscard]] std::string unreadOutput() const;

    TemporaryFolder m_folder;
    pid_t m_process = -1;
    int m_status = 0;
    bool m_ended = false;
    int m_inputWriteEnd = -1;
    int m_outputReadEnd = -1;
};

/// Runs the program to its end.
[[nodiscard]] CliResult runCli(const std::vector<std::string>& arguments,
                               const CliSetup& setup = {});

/// A wrapper for CliSetup: a shell that calls `ulimit` with these options first.
[[nodiscard]] std::vector<std::string> limitedBy(const std::string& ulimitOptions);

/// GloVe text with words "w0", "w1", … and standard normal numbers, of four decimals, times
/// 1 / (1 + column), so that the principal axes differ.
[[nodiscard]] std::string madeUpGlove(int words, int dimensions, std::uint64_t seed);

}  // namespace epsilens::test
