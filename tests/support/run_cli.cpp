#include "tests/support/run_cli.h"

#include <csignal>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/random_stream.h"

namespace epsilens::test {
namespace {

constexpr auto kPollInterval = std::chrono::microseconds(200);
/// An output that holds the same bytes for so long takes no more.
constexpr auto kLongRest = std::chrono::milliseconds(500);
/// Of one that looks every few milliseconds whether it can go on, and is met awake at times.
constexpr auto kLongestStep = std::chrono::milliseconds(100);

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

struct Pipe {
    int readEnd = -1;
    int writeEnd = -1;
};

Pipe openPipe() {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    return {ends[0], ends[1]};
}

void closeIfOpen(int descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
}

int bytesWaiting(int descriptor) {
    int bytes = 0;
    return ioctl(descriptor, FIONREAD, &bytes) == 0 ? bytes : 0;
}

}  // namespace

CliProcess::CliProcess(const std::vector<std::string>& arguments, const CliSetup& setup) {
    constexpr int kNewFile = O_WRONLY | O_CREAT | O_TRUNC;
    const std::string input = m_folder.file("input", setup.input);
    const std::string ownOutput = m_folder.file("output", {});
    const std::string& output = setup.outputPath.empty() ? ownOutput : setup.outputPath;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    Pipe inputPipe;
    Pipe outputPipe;
    if (setup.keepInputOpen) {
        inputPipe = openPipe();
        m_inputWriteEnd = inputPipe.writeEnd;
        posix_spawn_file_actions_adddup2(&actions, inputPipe.readEnd, STDIN_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    }
    if (setup.closeOutput) {
        posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
    } else if (setup.leaveOutputUnread) {
        outputPipe = openPipe();
        m_outputReadEnd = outputPipe.readEnd;
        posix_spawn_file_actions_adddup2(&actions, outputPipe.writeEnd, STDOUT_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), kNewFile, 0600);
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, m_folder.path("errors").c_str(),
                                     kNewFile, 0600);
    // After the files, whose paths may be relative to the directory of the test.
    if (!setup.workingDirectory.empty()) {
        posix_spawn_file_actions_addchdir_np(&actions, setup.workingDirectory.c_str());
    }
    std::vector<std::string> texts = setup.wrapper;
    texts.emplace_back(EPSILENS_CLI);
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = setup.environment.value_or(std::vector<std::string>{});
    const std::vector<char*> variablePointers = pointersTo(variables);
    const int problem =
        posix_spawnp(&m_process, texts.front().c_str(), &actions, nullptr, pointersTo(texts).data(),
                     setup.environment ? variablePointers.data() : environ);
    posix_spawn_file_actions_destroy(&actions);
    closeIfOpen(inputPipe.readEnd);
    closeIfOpen(outputPipe.writeEnd);
    if (problem != 0) {
        throw std::runtime_error("the program does not start");
    }
}

CliProcess::~CliProcess() {
    if (!m_ended) {
        kill(m_process, SIGKILL);
        waitpid(m_process, &m_status, 0);
    }
    closeIfOpen(m_inputWriteEnd);
    closeIfOpen(m_outputReadEnd);
}

bool CliProcess::ended() {
    m_ended = m_ended || waitpid(m_process, &m_status, WNOHANG) == m_process;
    return m_ended;
}

bool CliProcess::comesTo(const std::function<bool()>& state, std::chrono::milliseconds patience) {
    const auto start = std::chrono::steady_clock::now();
    while (!state()) {
        if (ended() || std::chrono::steady_clock::now() - start >= patience) {
            return false;
        }
        std::this_thread::sleep_for(kPollInterval);
    }
    return true;
}

bool CliProcess::waitForErrors(std::string_view text) {
    return comesTo(
        [&] { return contentOf(m_folder.path("errors")).find(text) != std::string::npos; });
}

bool CliProcess::waitUntilItRests() {
    auto changed = std::chrono::steady_clock::now();
    int held = 0;
    return comesTo([&] {
        const int holds = m_outputReadEnd >= 0 ? bytesWaiting(m_outputReadEnd) : 1;
        if (holds == 0 || holds != held || !isAsleep(m_process)) {
            held = holds;
            changed = std::chrono::steady_clock::now();
        }
        return std::chrono::steady_clock::now() - changed >
               (m_outputReadEnd >= 0 ? kLongRest : kLongestStep);
    });
}

bool CliProcess::waitUntilItCatches(int signal) {
    return comesTo([&] {
        // "SigCgt:" and a mask in hexadecimal, whose lowest bit is of signal 1.
        const std::string status = contentOf("/proc/" + std::to_string(m_process) + "/status");
        constexpr std::string_view kName = "SigCgt:\t";
        const std::size_t at = status.find(kName);
        return at != std::string::npos &&
               (std::stoull(status.substr(at + kName.size(), 16), nullptr, 16) >>
                    static_cast<unsigned>(signal - 1) &
                1U) != 0;
    });
}

bool CliProcess::endsWithin(std::chrono::milliseconds time) {
    return comesTo([&] { return ended(); }, time);
}

std::string CliProcess::unreadOutput() const {
    std::string output;
    char bytes[4096];
    for (ssize_t got = 1; got > 0;) {
        got = read(m_outputReadEnd, bytes, sizeof bytes);
        output.append(bytes, got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    return output;
}

void CliProcess::sendSignal(int number) const {
    kill(m_process, number);
}

CliResult CliProcess::finish() {
    if (!m_ended) {
        waitpid(m_process, &m_status, 0);
        m_ended = true;
    }
    return {WIFEXITED(m_status) ? WEXITSTATUS(m_status) : -1,
            m_outputReadEnd >= 0 ? unreadOutput() : contentOf(m_folder.path("output")),
            contentOf(m_folder.path("errors"))};
}

std::vector<std::string> limitedBy(const std::string& ulimitOptions) {
    return {"/bin/sh", "-c", "ulimit " + ulimitOptions + " && exec \"$0\" \"$@\""};
}

CliResult runCli(const std::vector<std::string>& arguments, const CliSetup& setup) {
    return CliProcess(arguments, setup).finish();
}

std::string madeUpGlove(int words, int dimensions, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose::wordSelection, 0, 0});
    std::string text;
    for (int word = 0; word < words; ++word) {
        text += fmt::format("w{}", word);
        for (int column = 0; column < dimensions; ++column) {
            text += fmt::format(" {:.4f}", stream.normal() / (1.0 + column));
        }
        text += '\n';
    }
    return text;
}

}  // namespace epsilens::test
