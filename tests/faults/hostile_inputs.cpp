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
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/core/embedding/embedding_files.h"
#include "tests/core/report/example_calibration.h"
#include "tests/faults/mutation.h"
#include "tests/support/foreign_texts.h"
#include "tests/support/run_cli.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using test::CliProcess;
using test::CliResult;
using test::CliSetup;
using test::Mutation;

namespace {

/// A command that works, and the file of it that a run changes.
struct HostileTarget {
    /// "{file}" stands for the changed file, "{out}" for a folder to write to; all other paths are
    /// real.
    std::vector<std::string> arguments{};
    std::string content{};  ///< of the file as it works
    /// What is done to the content after it was changed, such as compressing; may be empty.
    std::function<std::string(const std::string&)> wrap{};
    bool isInput = false;  ///< the content comes on standard input, not from a file
};

/// A word that no embedding of the targets holds and that is in all their texts: a release masks
/// it.
constexpr const char* kSecretWord = "Zaphodbrox";

using Arguments = std::vector<std::string>;

Arguments joined(Arguments first, const Arguments& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

/// What a command of the program writes.
std::string written(const Arguments& arguments, const std::string& input = {}) {
    CliSetup setup;
    setup.input = input;
    const CliResult result = test::runCli(arguments, setup);
    if (result.exitCode != 0) {
        throw std::runtime_error("an example does not work: " + result.errors);
    }
    return result.output;
}

std::string text() {
    std::string lines;
    for (int i = 0; i < 8; ++i) {
        lines += "w1 w2, w" + std::to_string(i) + " " + kSecretWord + " 3.14 na\xc3\xafve\n";
    }
    return lines;
}

std::string table() {
    std::string csv = "id,class,message\n";
    for (int i = 0; i < 30; ++i) {
        csv += std::to_string(i) + (i % 2 == 0 ? ",one" : ",two") + ",\"w" + std::to_string(i % 7) +
               " w" + std::to_string(i % 5) + ", " + kSecretWord + "\"\n";
    }
    return csv;
}

/// Every command of epsilens-cli with every kind of file that it reads: embeddings in all formats
/// and compressions, lists of words, pairs, data sets, texts in several encodings, calibrations,
/// parts, reports, sessions and sidecars.
///
/// folder  gets the files that are not changed; must outlive the targets
class Targets {
public:
    explicit Targets(const test::TemporaryFolder& folder)
        : m_glove(test::madeUpGlove(40, 3, 1)),
          m_embedding(folder.file("words.txt", m_glove)),
          m_calibration(calibrated({"--format", "json"})),
          m_folder(folder) {
        addEmbeddings();
        addTexts();
        addTables();
        addLists();
        addDocuments();
    }

    std::vector<HostileTarget> take() { return std::move(m_targets); }

private:
    [[nodiscard]] std::string calibrated(const Arguments& more) const {
        return written(joined(run(), joined(more, {"--quiet"})));
    }
    [[nodiscard]] Arguments run() const {
        return {"calibrate", m_embedding, "--epsilon", "2,8", "--lambda", "0.5",
                "--words",   "10",        "--draws",   "10",  "--seed",   "1"};
    }

    void add(Arguments arguments, std::string content,
             std::function<std::string(const std::string&)> wrap = {}) {
        m_targets.push_back({std::move(arguments), std::move(content), std::move(wrap), false});
    }
    void addInput(Arguments arguments, std::string content) {
        m_targets.push_back({std::move(arguments), std::move(content), {}, true});
    }

    void addEmbeddings() {
        const Arguments small{"--epsilon", "2,8", "--words", "5", "--draws", "5"};
        add({"info", "{file}", "--density", "-o", "{out}/info.txt"}, m_glove);
        add({"info", "{file}", "--strict"}, "3 2\na 1 2\nb 3 4\nc 5 6\n");
        add(joined({"calibrate", "{file}", "--lambda", "0,0.5", "--per-word", "{out}/words.csv",
                    "-o", "{out}/run.txt"},
                   small),
            m_glove);
        add(joined({"calibrate", "{file}", "--mechanism", "tem"}, small), m_glove);
        add(joined({"calibrate", "{file}", "--mechanism", "hyperbolic"}, small),
            "a 0.1 0.2\nb 0.3 -0.4\nc 0.5 0.6\nd -0.7 0.1\ne 0.2 0.2\nf 0 0\n");
        add({"recommend", "{file}", "--words", "5", "--draws", "10", "--limit", "nw.mean<=50%"},
            m_glove);
        add({"sample", "{file}", "--text", "w1 w2", "--epsilon", "2", "--draws", "2"}, m_glove);
        add({"guarantee", "{file}", "--epsilon", "2", "--pair", "w1,w2"}, m_glove);
        const test::WordsAndValues rows{{"ab", {1.0F, -2.0F}}, {"c", {0.5F, 3.0F}}, {"w1", {2, 1}}};
        const Arguments info{"info", "{file}", "--format", "json", "-o", "{out}/info.json"};
        for (const bool lineEnds : {false, true}) {
            add(info, test::word2vecBinary(rows, lineEnds));
        }
        test::FasttextParts quantised;
        quantised.quantised = true;
        add(info, test::fasttextModel({}));
        add(info, test::fasttextModel(quantised));
        for (const char* compression : {"gzip", "xz", "bzip2", "zstd"}) {
            add(info, test::compressed(m_glove, compression));
            add(info, m_glove, [compression](const std::string& content) {
                return test::compressed(content, compression);
            });
        }
        add(info, test::zipped({{"a.txt", m_glove}}));
        add(info, m_glove, [](const std::string& content) {
            return test::zipped({{"a.txt", content}});
        });
        using namespace std::string_literals;
        add(info, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'shape': (2, 2)}\n"s +
                      std::string(16, '\x3f'));
    }

    [[nodiscard]] Arguments release() const {
        return {"sanitize", m_embedding, "--epsilon", "5", "--lambda", "0.5"};
    }

    void addTexts() {
        addInput(release(), text());
        addInput(joined(release(), {"--invalid", "replace", "--unknown", "drop", "--sidecar",
                                    "{out}/sidecar.json", "-o", "{out}/text.txt"}),
                 text());
        add(joined(release(), {"--text-file", "{file}", "-o", "{out}/text.txt"}), text());
        add({"sample", m_embedding, "--text", "w1 w2", "--epsilon", "1", "--session", "{file}"},
            session());
        for (const test::ForeignText& foreign : test::foreignTexts()) {
            addInput(release(), foreign.bytes);
            addInput(joined(release(), {"--encoding", foreign.encoding}), foreign.bytes);
        }
        addInput(release(), test::compressed(text(), "gzip"));
        add(joined(release(),
                   {"--stop-words", "{file}", "--text-file", m_folder.file("plain.txt", text())}),
            "w1\nw2\n");
    }

    void addTables() {
        const std::string data = table();
        add(joined(release(), {"--column", "message", "--data-format", "csv", "--text-file",
                               "{file}", "-o", "{out}/table.csv"}),
            data);
        std::string lines;
        for (int i = 0; i < 6; ++i) {
            lines +=
                "{\"id\": " + std::to_string(i) + ", \"message\": \"w1 w2 " + kSecretWord + "\"}\n";
        }
        addInput(joined(release(), {"--column", "message", "--data-format", "jsonl"}), lines);
        const Arguments evaluate{"evaluate",  m_embedding,       "--mechanism", "laplace",
                                 "--epsilon", "1,200",           "--repeats",   "1",
                                 "--data",    "{file}",          "--format",    "json",
                                 "-o",        "{out}/found.json"};
        add(evaluate, data);
        add(evaluate, data,
            [](const std::string& content) { return test::compressed(content, "gzip"); });
        add({"info", m_embedding, "--density", "--data", "{file}"}, data);
        add({"calibrate", m_embedding, "--data", "{file}", "--epsilon", "2", "--draws", "5"}, data);
    }

    void addLists() {
        const std::string words = "w1\nw2\nw3\n";
        add({"info", m_embedding, "--vocabulary", "{file}"}, words);
        add({"calibrate", m_embedding, "--words", "@{file}", "--epsilon", "2", "--draws", "5"},
            words);
        add({"train-poincare", "{file}", "--epochs", "2", "--dimensions", "2", "-o",
             "{out}/pairs.vec"},
            "dog\tanimal\ncat\tanimal\nhound\tdog\nhot dog\tfood\n");
    }

    [[nodiscard]] std::string session() const {
        for (const test::ExampleDocument& example : test::exampleDocuments()) {
            if (example.target == "session") {
                return example.json;
            }
        }
        throw std::runtime_error("there is no example of a session");
    }

    void addDocuments() {
        for (const char* format : {"html", "text", "json"}) {
            add({"report", "--from", "{file}", "--format", format, "-o", "{out}/report"},
                m_calibration);
        }
        const std::string calibration = m_folder.file("run.json", m_calibration);
        const std::string report = written({"report", "--from", calibration, "--epsilon", "2",
                                            "--lambda", "0.5", "--format", "json", "--quiet"});
        add({"verify", "--from", "{file}", "-o", "{out}/found.txt"}, m_calibration);
        add({"verify", "--from", "{file}"}, report);
        add({"report", "--from", "{file}"}, report);
        for (const test::ExampleDocument& example : test::exampleDocuments()) {
            add({"report", "--from", "{file}", "--format", "html"}, example.json);
            if (example.target == "session") {
                add({"info", m_embedding, "--session", "{file}"}, example.json);
                add(joined(release(), {"--session", "{file}", "--text-file",
                                       m_folder.file("plain.txt", text())}),
                    example.json);
            }
        }
        addEvaluations(calibration);
    }

    void addEvaluations(const std::string& calibration) {
        const std::string evaluation = written(
            {"evaluate", m_embedding, "--mechanism", "mahalanobis", "--lambda", "0.5", "--epsilon",
             "2,8", "--repeats", "2", "--data", m_folder.file("table.csv", table()), "--task",
             "classify,reconstruct", "--format", "json", "--quiet"});
        add({"report", "--from", calibration, "--epsilon", "2", "--lambda", "0.5", "--evaluation",
             "{file}", "--format", "html", "-o", "{out}/report.html"},
            evaluation);
    }

    std::string m_glove;
    std::string m_embedding;
    std::string m_calibration;
    const test::TemporaryFolder& m_folder;
    std::vector<HostileTarget> m_targets{};
};

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
            result.output.find(kSecretWord) != std::string::npos) {
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
    const std::vector<HostileTarget> targets = Targets(folder).take();
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
