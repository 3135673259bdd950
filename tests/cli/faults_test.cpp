#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "app/cli/output.h"
#include "core/base/random_stream.h"
#include "tests/cli/terminal.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/repetitions.h"
#include "tests/support/sanitized.h"
#include "tests/support/shared_flag.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::Terminal;
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
        isWriting.set(true);
        if (!cli::writeOutput(path, texts[i % 2], {})) {
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

const char* const kPerWordRun =
    "calibrate some.txt --epsilon 1,2 --lambda 0 --draws 5 --words all --per-word words.csv -o "
    "out.csv --format csv --quiet";

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
    const Terminal terminal;
    terminal.file("some.txt", test::madeUpGlove(500, 3, 1));
    const auto start = std::chrono::steady_clock::now();
    terminal.printed(kPerWordRun);
    const auto whole = std::chrono::steady_clock::now() - start;
    const std::string table = terminal.content("words.csv");
    const std::string results = terminal.content("out.csv");
    SeededStream moments({8, StreamPurpose::sentence, 0, 0});
    for (int attempt = 0; attempt < test::repetitions(kKills); ++attempt) {
        terminal.file("words.csv", "old");
        terminal.file("out.csv", "old");
        test::CliProcess process = terminal.start(kPerWordRun);
        std::this_thread::sleep_for(whole * (1.2 * moments.uniform()));
        process.sendSignal(SIGKILL);
        static_cast<void>(process.finish());
        const std::string nowTable = terminal.content("words.csv");
        const std::string nowResults = terminal.content("out.csv");
        REQUIRE((nowTable == "old" || nowTable == table));
        REQUIRE((nowResults == "old" || nowResults == results));
        REQUIRE((nowResults == "old" || nowTable == table));
    }
}

TEST_CASE("A limit of the size of files is an error and leaves the old files") {
    const Terminal terminal;
    terminal.file("some.txt", test::madeUpGlove(500, 3, 1));
    terminal.file("words.csv", "old");
    terminal.file("out.csv", "old");
    test::CliSetup setup;
    setup.wrapper = test::limitedBy("-f 8");  // blocks of 512 bytes
    const CliResult result = terminal.run(kPerWordRun, setup);
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("error: cannot write") && Contains("words.csv"));
    CHECK(terminal.content("words.csv") == "old");
    CHECK(terminal.content("out.csv") == "old");
    CHECK(terminal.names() == test::Arguments{"out.csv", "small.txt", "some.txt", "words.csv"});
}

TEST_CASE("A full disk is an error with the system's reason") {
    const Terminal terminal;
    terminal.file("pairs.tsv", "a\tb\nb\tc\n");
    for (const char* line :
         {"calibrate small.txt --epsilon 1 --lambda 0 -o /dev/full",
          "calibrate small.txt --epsilon 1 --lambda 0 --per-word /dev/full",
          "train-poincare pairs.tsv --dimensions 2 --epochs 2 --quiet -o /dev/full"}) {
        terminal.fails(line, 1, "cannot write /dev/full: No space left on device");
    }
}
