#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/release/sanitize_stream.h"
#include "tests/core/release/fixed_replacer.h"
#include "tests/core/release/word_space.h"
#include "tests/support/sanitized.h"
#include "tests/support/shared_flag.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::ReleaseOutputs;
using release::TextInput;
using release::TextOutput;

namespace {

/// A process takes several times as long under a sanitizer, and meets the same moments.
constexpr int kKills = test::kSanitized ? 80 : 200;
constexpr int kKillsInWrites = kKills / 4;  ///< more of them than this, or more kills follow
constexpr int kMostKills = 600;
/// Of a process, in microseconds, at first.
constexpr std::uint64_t kLongestLife = test::kSanitized ? 100'000 : 20'000;
constexpr int kLines = 2'000;

std::string repeated(std::string_view line) {
    std::string text;
    for (int i = 0; i < kLines; ++i) {
        text += line;
    }
    return text;
}

/// Releases a text into the same two files, for ever: each word comes out as the one that lies one
/// further, or two further the next time, and the sidecar says which.
[[noreturn]] void releaseForEver(const test::TemporaryFolder& folder,
                                 const test::SharedFlag& isWriting) {
    const auto space = test::wordSpace({"one", "two", "three"});
    for (release::Row step = 1;; step = 3 - step) {
        test::FixedReplacer replacer([step](release::Row row) { return (row + step) % 3; });
        auto sanitizer = release::Sanitizer::create(space, replacer, {}).value();
        auto input = TextInput::open(folder.path("in.txt"), {}).value();
        auto outputs = ReleaseOutputs::open(TextOutput::toFile(folder.path("out.txt")).value(),
                                            folder.path("out.json"), {});
        const release::StreamOptions options{.batchBytes = 1'000, .threads = 1};
        isWriting.set(true);
        if (!outputs || !release::sanitizeStream(input, outputs->text, sanitizer, options) ||
            !outputs->finish(repeated(step == 1 ? "first\n" : "second\n"))) {
            _exit(1);
        }
        isWriting.set(false);
    }
}

/// Whether it was writing.
bool killReleasingAt(const test::TemporaryFolder& folder, std::uint64_t microseconds) {
    const test::SharedFlag isWriting;
    const pid_t process = fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        releaseForEver(folder, isWriting);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    kill(process, SIGKILL);
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    REQUIRE(WIFSIGNALED(status));
    return isWriting.isSet();
}

/// Removes what a killed process left beside the files. Released text that is not whole is for
/// nobody else's eyes.
void removeLeftovers(const test::TemporaryFolder& folder) {
    for (const std::string& name : folder.names()) {
        if (name == "in.txt" || name == "out.txt" || name == "out.json") {
            continue;
        }
        struct stat status {};
        REQUIRE(stat(folder.path(name).c_str(), &status) == 0);
        const bool isWhole = static_cast<std::size_t>(status.st_size) >=
                             std::min(repeated("two\n").size(), repeated("first\n").size());
        CHECK((isWhole || (status.st_mode & 0777U) == 0600U));
        std::filesystem::remove(folder.path(name));
    }
}

}  // namespace

TEST_CASE("Releasing killed at any moment leaves the old text and sidecar or whole new ones") {
    const test::TemporaryFolder folder;
    folder.file("in.txt", repeated("one\n"));
    const std::string first = repeated("two\n");
    const std::string second = repeated("three\n");
    folder.file("out.txt", second);
    folder.file("out.json", repeated("second\n"));
    SeededStream moments({17, StreamPurpose::sentence, 0, 0});
    std::uint64_t longestLife = kLongestLife;
    int unfinished = 0;
    int firsts = 0;
    int kills = 0;
    while (kills < kKills || (unfinished <= kKillsInWrites && kills < kMostKills)) {
        unfinished += killReleasingAt(folder, moments.below(longestLife)) ? 1 : 0;
        const std::string text = test::contentOf(folder.path("out.txt"));
        const std::string sidecar = test::contentOf(folder.path("out.json"));
        REQUIRE((text == first || text == second));
        REQUIRE((sidecar == repeated("first\n") || sidecar == repeated("second\n")));
        firsts += text == first ? 1 : 0;
        removeLeftovers(folder);
        ++kills;
        // On a busy machine a process may come to no end of a text, or hardly to its beginning.
        const bool livesTooShort = firsts == 0 || unfinished * kKills < kills * kKillsInWrites;
        if (livesTooShort && kills % 20 == 0) {
            longestLife = std::min(2 * longestLife, 16 * kLongestLife);
        }
    }
    // Kills that hit no write would prove nothing.
    CHECK(unfinished > kKillsInWrites);
    CHECK(firsts > 0);
    CHECK(firsts < kills);
}
