#include "tests/support/run_cli.h"

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace epsilens::test {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(5);
constexpr auto kPatience = std::chrono::minutes(5);

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

CliProcess::CliProcess(const std::vector<std::string>& arguments, const CliSetup& setup) {
    constexpr int kNewFile = O_WRONLY | O_CREAT | O_TRUNC;
    const std::string input = m_folder.file("input", setup.input);
    const std::string output =
        setup.outputPath.empty() ? m_folder.path("output") : setup.outputPath;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int pipeEnds[2] = {-1, -1};
    if (setup.keepInputOpen) {
        if (pipe2(pipeEnds, O_CLOEXEC) != 0) {
            throw std::runtime_error("no pipe");
        }
        m_inputWriteEnd = pipeEnds[1];
        posix_spawn_file_actions_adddup2(&actions, pipeEnds[0], STDIN_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    }
    if (setup.closeOutput) {
        posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
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
    if (pipeEnds[0] >= 0) {
        close(pipeEnds[0]);
    }
    if (problem != 0) {
        throw std::runtime_error("the program does not start");
    }
}

CliProcess::~CliProcess() {
    if (!m_ended) {
        kill(m_process, SIGKILL);
        waitpid(m_process, &m_status, 0);
    }
    if (m_inputWriteEnd >= 0) {
        close(m_inputWriteEnd);
    }
}

bool CliProcess::ended() {
    m_ended = m_ended || waitpid(m_process, &m_status, WNOHANG) == m_process;
    return m_ended;
}

bool CliProcess::waitForErrors(std::string_view text) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < kPatience) {
        if (contentOf(m_folder.path("errors")).find(text) != std::string::npos) {
            return true;
        }
        if (ended()) {
            return false;
        }
        std::this_thread::sleep_for(kPollInterval);
    }
    return false;
}

void CliProcess::sendSignal(int number) const {
    kill(m_process, number);
}

CliResult CliProcess::finish() {
    if (!m_ended) {
        waitpid(m_process, &m_status, 0);
        m_ended = true;
    }
    return {WIFEXITED(m_status) ? WEXITSTATUS(m_status) : -1, contentOf(m_folder.path("output")),
            contentOf(m_folder.path("errors"))};
}

std::vector<std::string> limitedBy(const std::string& ulimitOptions) {
    return {"/bin/sh", "-c", "ulimit " + ulimitOptions + " && exec \"$0\" \"$@\""};
}

CliResult runCli(const std::vector<std::string>& arguments, const CliSetup& setup) {
    return CliProcess(arguments, setup).finish();
}

}  // namespace epsilens::test
