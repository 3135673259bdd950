#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "app/cli/output.h"
#include "core/base/random_stream.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/repetitions.h"
#include "tests/support/run_cli.h"
#include "tests/support/sanitized.h"
#include "tests/support/shared_flag.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

/// A process takes several times as long under a sanitizer, and meets the same moments.
constexpr int kKills = test::kSanitized ? 80 : 200;
// A process under the address sanitizer takes longer to fork and to write.
constexpr std::uint64_t kLongestLife = test::kSanitized ? 40'000 : 4'000;  // µs, at first

/// Two texts, told apart by their first byte, that take several writes.
std::string wholeText(char letter) {
    return std::string(std::size_t{1} << 20, letter);
}

/// Writes one text after the other to the file, for ever.
[[noreturn]] void writeForEver(const std::string& path, const test::SharedFlag& isWriting) {
    const std::string texts[] = {wholeText('a'), wholeText('b')};
    for (std::size_t i = 0;; ++i) {
        const auto output = cli::Output::open(path);
        isWriting.set(true);
        if (!output || !output->write(texts[i % 2], {})) {
            _exit(1);
        }
        isWriting.set(false);
    }
}

/// Removes what killed processes left beside the file; what is not whole is private.
void removeLeftovers(const test::TemporaryFolder& folder, std::string_view name) {
    for (const std::string& other : folder.names()) {
        if (other == name) {
            continue;
        }
        struct stat status {};
        REQUIRE(stat(folder.path(other).c_str(), &status) == 0);
        if (static_cast<std::size_t>(status.st_size) < wholeText('a').size()) {
            CHECK((status.st_mode & 0777U) == 0600U);
        }
        fs::remove(folder.path(other));
    }
}

Arguments perWordRun(const test::TemporaryFolder& folder, const std::string& embedding) {
    return {"calibrate",  embedding,
            "--epsilon",  "1,2",
            "--lambda",   "0",
            "--draws",    "5",
            "--words",    "all",
            "--per-word", folder.path("words.csv"),
            "-o",         folder.path("out.csv"),
            "--format",   "csv",
            "--quiet"};
}

}  // namespace

TEST_CASE("A writer killed at any moment leaves the old file or the new one") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("out.txt", wholeText('b'));
    const std::string a = wholeText('a');
    const std::string b = wholeText('b');
    SeededStream moments({7, StreamPurpose::sentence, 0, 0});
    std::uint64_t longestLife = kLongestLife;
    const test::SharedFlag isWriting;
    int unfinished = 0;
    bool sawA = false;
    bool sawB = false;
    for (int attempt = 0; attempt < kKills; ++attempt) {
        isWriting.set(false);
        const pid_t process = fork();
        REQUIRE(process >= 0);
        if (process == 0) {
            writeForEver(path, isWriting);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(moments.below(longestLife)));
        kill(process, SIGKILL);
        int status = 0;
        REQUIRE(waitpid(process, &status, 0) == process);
        REQUIRE(WIFSIGNALED(status));
        const std::string content = test::contentOf(path);
        REQUIRE((content == a || content == b));
        (content == a ? sawA : sawB) = true;
        unfinished += isWriting.isSet() ? 1 : 0;
        removeLeftovers(folder, "out.txt");
        // On a busy machine a process may come to no second text, or hardly to its first.
        const bool livesTooShort = !(sawA && sawB) || 20 * unfinished <= attempt;
        longestLife *= livesTooShort && attempt % 20 == 19 ? 2 : 1;
    }
    // Kills that hit no write would prove nothing.
    CHECK(unfinished > kKills / 20);
    CHECK(sawA);
    CHECK(sawB);
}

TEST_CASE("A run killed at any moment leaves the old results or the new ones") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(500, 3, 1));
    const Arguments arguments = perWordRun(folder, embedding);
    const auto start = std::chrono::steady_clock::now();
    REQUIRE(runCli(arguments).exitCode == 0);
    const auto whole = std::chrono::steady_clock::now() - start;
    const std::string table = test::contentOf(folder.path("words.csv"));
    const std::string results = test::contentOf(folder.path("out.csv"));
    SeededStream moments({8, StreamPurpose::sentence, 0, 0});
    for (int attempt = 0; attempt < test::repetitions(kKills); ++attempt) {
        folder.file("words.csv", "old");
        folder.file("out.csv", "old");
        test::CliProcess process(arguments);
        std::this_thread::sleep_for(whole * (1.2 * moments.uniform()));
        process.sendSignal(SIGKILL);
        static_cast<void>(process.finish());
        const std::string nowTable = test::contentOf(folder.path("words.csv"));
        const std::string nowResults = test::contentOf(folder.path("out.csv"));
        REQUIRE((nowTable == "old" || nowTable == table));
        REQUIRE((nowResults == "old" || nowResults == results));
        REQUIRE((nowResults == "old" || nowTable == table));
    }
}

TEST_CASE("A limit of the size of files is an error and leaves the old files") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(500, 3, 1));
    folder.file("words.csv", "old");
    folder.file("out.csv", "old");
    CliSetup setup;
    setup.wrapper = test::limitedBy("-f 8");  // blocks of 512 bytes
    const CliResult result = runCli(perWordRun(folder, embedding), setup);
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("error: cannot write") && Contains("words.csv"));
    CHECK(test::contentOf(folder.path("words.csv")) == "old");
    CHECK(test::contentOf(folder.path("out.csv")) == "old");
    CHECK(folder.names() == Arguments{"out.csv", "some.txt", "words.csv"});
}

TEST_CASE("A full disk is an error with the system's reason") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(50, 3, 1));
    Arguments arguments{"calibrate", embedding, "--epsilon", "1", "--lambda", "0", "--quiet"};
    for (const char* option : {"-o", "--per-word"}) {
        Arguments toFull = arguments;
        toFull.insert(toFull.end(), {option, "/dev/full"});
        const CliResult result = runCli(toFull);
        CHECK(result.exitCode == 1);
        CHECK_THAT(result.errors, Contains("/dev/full") && Contains("No space left on device"));
    }
    const CliResult training =
        runCli({"train-poincare", folder.file("pairs.tsv", "a\tb\nb\tc\n"), "--dimensions", "2",
                "--epochs", "2", "--quiet", "-o", "/dev/full"});
    CHECK(training.exitCode == 1);
    CHECK_THAT(training.errors, Contains("No space left on device"));
}
