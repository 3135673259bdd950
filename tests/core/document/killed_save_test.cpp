#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/document/session_file.h"
#include "tests/core/document/example_session.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;

namespace {

/// A process takes several times as long under a sanitizer, and meets the same moments.
constexpr int kKills = test::kSanitized ? 80 : 200;
/// Of a process, in microseconds, at first.
constexpr std::uint64_t kLongestLife = test::kSanitized ? 60'000 : 10'000;

/// Saves one session after the other, for ever.
[[noreturn]] void saveForEver(const std::string& path) {
    const document::Session sessions[] = {test::exampleSession(), test::otherSession()};
    for (std::size_t i = 0;; ++i) {
        if (!document::saveSession(path, sessions[i % 2])) {
            _exit(1);
        }
    }
}

void killSavingAt(const std::string& path, std::uint64_t microseconds) {
    const pid_t process = fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        saveForEver(path);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    kill(process, SIGKILL);
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    REQUIRE(WIFSIGNALED(status));
}

bool isSame(const document::Session& a, const document::Session& b) {
    return document::sessionJson(a) == document::sessionJson(b);
}

}  // namespace

TEST_CASE("Saving killed at any moment leaves a session with its own results") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, test::otherSession()));
    const document::Session other = document::openSession(path).value();
    REQUIRE(document::saveSession(path, test::exampleSession()));
    const document::Session one = document::openSession(path).value();
    SeededStream moments({11, StreamPurpose::sentence, 0, 0});
    std::uint64_t longestLife = kLongestLife;
    int ones = 0;
    for (int attempt = 0; attempt < kKills; ++attempt) {
        killSavingAt(path, moments.below(longestLife));
        const auto session = document::openSession(path);
        REQUIRE(session);
        REQUIRE((isSame(*session, one) || isSame(*session, other)));
        ones += isSame(*session, one) ? 1 : 0;
        // On a busy machine a process may come to no second save.
        const bool sawOnlyOne = ones == 0 || ones == attempt + 1;
        longestLife *= sawOnlyOne && attempt % 20 == 19 ? 2 : 1;
    }
    // Kills that hit no write would prove nothing.
    CHECK(ones > 0);
    CHECK(ones < kKills);
    REQUIRE(document::saveSession(path, one));
    CHECK(isSame(*document::openSession(path), one));
}
