#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace epsilens::test {

/// A flag that a process shares with those that it forks; false at first.
class SharedFlag {
public:
    SharedFlag() {
        void* const memory =
            mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::runtime_error("no shared memory");
        }
        m_value = new (memory) Value(false);
    }
    ~SharedFlag() { munmap(m_value, sizeof(Value)); }
    SharedFlag(const SharedFlag&) = delete;
    SharedFlag& operator=(const SharedFlag&) = delete;

    void set(bool value) const { *m_value = value; }
    [[nodiscard]] bool isSet() const { return *m_value; }

private:
    using Value = std::atomic<bool>;
    static_assert(Value::is_always_lock_free);

    Value* m_value = nullptr;
};

/// Kills a process that writes two contents in turn, at random moments, again and again.
///
/// writeForEver  in the process; says whether a write is going on, and returns when one fails
/// isFirst       whether what a kill left is the first content; checks that it is one of them
inline void killAtAnyMoment(std::uint64_t seed,
                            const std::function<void(const SharedFlag& isWriting)>& writeForEver,
                            const std::function<bool()>& isFirst) {
    // A process takes several times as long under a sanitizer, and meets the same moments.
    constexpr int kKills = kSanitized ? 80 : 200;
    constexpr int kKillsInWrites = kKills / 4;  // more of them than this, or more kills follow
    constexpr int kMostKills = 600;
    constexpr std::uint64_t kLongestLife = kSanitized ? 60'000 : 10'000;  // µs, at first
    SeededStream moments({seed, StreamPurpose::sentence, 0, 0});
    std::uint64_t longestLife = kLongestLife;
    int unfinished = 0;
    int firsts = 0;
    int kills = 0;
    while (kills < kKills || (unfinished <= kKillsInWrites && kills < kMostKills)) {
        const SharedFlag isWriting;
        const pid_t process = fork();
        REQUIRE(process >= 0);
        if (process == 0) {
            writeForEver(isWriting);
            _exit(1);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(moments.below(longestLife)));
        kill(process, SIGKILL);
        int status = 0;
        REQUIRE(waitpid(process, &status, 0) == process);
        REQUIRE(WIFSIGNALED(status));
        unfinished += isWriting.isSet() ? 1 : 0;
        firsts += isFirst() ? 1 : 0;
        ++kills;
        // On a busy machine a process may come to no second content, or hardly to its first.
        const bool livesTooShort =
            firsts == 0 || firsts == kills || unfinished * kKills < kills * kKillsInWrites;
        if (livesTooShort && kills % 20 == 0) {
            longestLife = std::min(2 * longestLife, 32 * kLongestLife);
        }
    }
    // Kills that hit no write would prove nothing.
    CHECK(unfinished > kKillsInWrites);
    CHECK(firsts > 0);
    CHECK(firsts < kills);
}

/// Removes what killed processes left beside some files. What is not whole is for nobody else's
/// eyes.
inline void removeLeftovers(const TemporaryFolder& folder, const std::vector<std::string>& files,
                            std::size_t wholeBytes) {
    for (const std::string& name : folder.names()) {
        if (std::ranges::find(files, name) != files.end()) {
            continue;
        }
        struct stat status {};
        REQUIRE(stat(folder.path(name).c_str(), &status) == 0);
        const bool isWhole = static_cast<std::size_t>(status.st_size) >= wholeBytes;
        CHECK((isWhole || (status.st_mode & 0777U) == 0600U));
        std::filesystem::remove(folder.path(name));
    }
}

}  // namespace epsilens::test
