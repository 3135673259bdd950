// hostile-inputs [COUNT [SEED [FIRST [FOLDER]]]]: runs epsilens-cli on so many changed files and
// options of every kind and checks how it ends; 300 times, or 3,000 where long tests are asked for.
// Some runs get a signal at a random moment, some little address space. A finding names its run,
// which beginning with it repeats. FOLDER gets the changed files of findings and the messages of
// all failures, with every number as 0. Ends with 0 if there was no finding.
//
// Every run ends by itself with a documented code within ten seconds, or on a signal within ten
// more where its numbers ask for long work; a failure says so in one line and leaves no file; no
// word that is to be masked comes out of a release.

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "tests/faults/hostile_targets.h"
#include "tests/faults/mutation.h"
#include "tests/support/repetitions.h"
#include "tests/support/run_cli.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using test::CliProcess;
using test::CliResult;
using test::CliSetup;
using test::HostileTarget;
using test::Mutation;

namespace {

constexpr int kWholeCount = 3'000;
constexpr std::uint64_t kSeed = 24;
constexpr auto kLongest = std::chrono::seconds(test::kSanitized ? 60 : 10);
constexpr std::array kCodes{0, 1, 2, 3, 4, 130};
// The system could not load the libraries; only where the address space is limited.
constexpr int kNotLoaded = 127;

struct Findings {
    std::string folder{};  ///< keeps files and messages; empty: none does
    int count = 0;
    int longRuns = 0;
    std::map<int, int> codes{};
    std::map<std::string, int> messages{};  ///< with every number as 0
};

/// What a run does beside reading what was changed.
struct Disturbance {
    bool changesOption = false;
    bool signals = false;
    bool limitsMemory = false;
};

std::string withPlaces(std::string argument, const std::string& file, const std::string& out) {
    for (const auto& [place, path] : {std::pair{"{file}", &file}, std::pair{"{out}", &out}}) {
        if (const std::size_t at = argument.find(place); at != std::string::npos) {
            argument.replace(at, std::string(place).size(), *path);
        }
    }
    return argument;
}

/// Changes a value of an option, none of the paths.
void changeOption(std::vector<std::string>& arguments, Mutation& mutation) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        const std::size_t at = 1 + mutation.below(arguments.size() - 1);
        if (arguments[at].find('/') == std::string::npos) {
            std::string changed = mutation.changed(arguments[at], "--threads 0 -o all");
            changed.erase(std::remove(changed.begin(), changed.end(), '\0'), changed.end());
            // A change may have made a path; relative ones stay in the folder of the run.
            arguments[at] = changed.starts_with('/') ? "." + changed : changed;
            return;
        }
    }
}

std::string withoutNumbers(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool isDigit = c >= '0' && c <= '9';
        if (!isDigit || result.empty() || result.back() != '0') {
            result += isDigit ? '0' : c;
        }
    }
    return result;
}

class HostileRun {
public:
    HostileRun(const std::vector<HostileTarget>& targets, std::uint64_t seed, int number,
               Findings& findings)
        : m_findings(findings),
          m_number(number),
          m_mutation(seed * 1'000'003U + static_cast<std::uint64_t>(number)),
          m_target(targets[m_mutation.below(targets.size())]),
          m_other(targets[m_mutation.below(targets.size())].content) {}

    void run() {
        prepare();
        CliProcess process(m_arguments, m_setup);
        if (m_disturbance.signals) {
            signalLater(process);
        }
        if (!process.endsWithin(kLongest)) {
            ++m_findings.longRuns;
            process.sendSignal(SIGINT);
            if (!process.endsWithin(kLongest)) {
                find("does not end");
                return;
            }
        }
        check(process.finish());
    }

private:
    void prepare() {
        m_disturbance.changesOption = m_mutation.oneIn(6);
        m_disturbance.signals = !m_disturbance.changesOption && m_mutation.oneIn(12);
        m_disturbance.limitsMemory =
            !test::kSanitized && !m_disturbance.signals && m_mutation.oneIn(25);
        m_content = m_target.content;
        if (!m_disturbance.changesOption && !(m_disturbance.signals && m_mutation.oneIn(2))) {
            m_content = m_mutation.changed(std::move(m_content), m_other);
        }
        if (m_target.wrap) {
            m_content = m_target.wrap(m_content);
        }
        const std::string file = m_target.isInput ? "" : m_files.file("file", m_content);
        m_setup.input = m_target.isInput ? m_content : "";
        m_setup.workingDirectory = m_out.path("");
        for (const std::string& argument : m_target.arguments) {
            m_arguments.push_back(withPlaces(argument, file, m_out.path("")));
        }
        if (m_disturbance.changesOption) {
            changeOption(m_arguments, m_mutation);
        }
        if (m_disturbance.limitsMemory) {
            m_setup.wrapper =
                test::limitedBy(fmt::format("-v {}", 100'000 + m_mutation.below(250'000)));
        }
    }

    // Signals that come before the program can hear them are the system's own.
    void signalLater(CliProcess& process) {
        const int signal = m_mutation.oneIn(2) ? SIGINT : SIGTERM;
        const std::chrono::microseconds wait(m_mutation.below(60'000));
        if (process.waitUntilItCatches(signal)) {
            std::this_thread::sleep_for(wait);
            process.sendSignal(signal);
        }
    }

    void check(const CliResult& result) {
        ++m_findings.codes[result.exitCode];
        if (m_disturbance.limitsMemory && result.exitCode == kNotLoaded) {
            return;
        }
        if (std::ranges::find(kCodes, result.exitCode) == kCodes.end()) {
            find(fmt::format("ends with {}: {}", result.exitCode, result.errors));
        }
        if (result.exitCode == 1 || result.exitCode == 2 || result.exitCode == 4) {
            checkFailure(result);
        }
        if (result.exitCode == 130 && result.errors.find("interrupted") == std::string::npos) {
            find("is interrupted without a message");
        }
        if (m_target.arguments.front() == "sanitize" && !m_disturbance.changesOption &&
            result.output.find(test::kSecretWord) != std::string::npos) {
            find("a masked word came out");
        }
    }

    void checkFailure(const CliResult& result) {
        const std::string& errors = result.errors;
        const std::size_t begin =
            errors.starts_with("error: ") ? 0 : std::min(errors.find("\nerror: "), errors.size());
        if (begin == errors.size()) {
            find("fails without a message");
            return;
        }
        const std::string message = errors.substr(begin + (begin == 0 ? 0 : 1));
        ++m_findings.messages[withoutNumbers(message)];
        if (message.size() < 20 || message.find('\n') != message.size() - 1) {
            find("says other than one line: " + message);
        }
        const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
        if (std::any_of(message.begin(), message.end() - 1, isControl)) {
            find("prints control characters: " + message);
        }
        // What differs is the result of verify, though it ends with 1.
        const bool isResult =
            message.find("differ from those of the repeated run") < message.size();
        if (!isResult && !m_out.names().empty()) {
            find("leaves " + m_out.names().front() + " after: " + message);
        }
    }

    void find(const std::string& what) {
        ++m_findings.count;
        std::string command;
        for (const std::string& argument : m_arguments) {
            command += fmt::format(" '{}'", argument);
        }
        fmt::print("run {}: {}\n    {}{}{}\n", m_number, what, command,
                   m_disturbance.signals ? " (signal)" : "",
                   m_disturbance.limitsMemory ? fmt::format(" ({})", m_setup.wrapper[2]) : "");
        std::fflush(stdout);
        if (!m_findings.folder.empty()) {
            std::ofstream(fmt::format("{}/run{}", m_findings.folder, m_number), std::ios::binary)
                << m_content;
        }
    }

    Findings& m_findings;
    int m_number;
    Mutation m_mutation;
    const HostileTarget& m_target;
    const std::string& m_other;
    Disturbance m_disturbance{};
    test::TemporaryFolder m_files;
    test::TemporaryFolder m_out;
    std::string m_content{};
    std::vector<std::string> m_arguments{};
    CliSetup m_setup{};
};

int runAll(int count, std::uint64_t seed, int first, const std::string& keptIn) {
    const test::TemporaryFolder folder;
    const std::vector<HostileTarget> targets = test::hostileTargets(folder);
    Findings findings;
    findings.folder = keptIn;
    for (int number = first; number < first + count; ++number) {
        HostileRun(targets, seed, number, findings).run();
    }
    fmt::print("{} runs of {} commands, seed {}: {} findings, {} ended by a signal after {} s\n",
               count, targets.size(), seed, findings.count, findings.longRuns, kLongest.count());
    for (const auto& [code, runs] : findings.codes) {
        fmt::print("  exit code {}: {}\n", code, runs);
    }
    if (!findings.folder.empty()) {
        std::ofstream messages(findings.folder + "/messages");
        for (const auto& [message, times] : findings.messages) {
            messages << times << ' ' << message;
        }
    }
    return findings.count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) try {
    const int count = argc > 1 ? std::atoi(argv[1]) : test::repetitions(kWholeCount);
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : kSeed;
    // Beginning with a later run repeats a finding.
    const int first = argc > 3 ? std::atoi(argv[3]) : 0;
    return runAll(count, seed, first, argc > 4 ? argv[4] : "");
} catch (const std::exception& exception) {
    fmt::print("{}\n", exception.what());
    return EXIT_FAILURE;
}
