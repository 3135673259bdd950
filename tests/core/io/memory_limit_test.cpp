#include "core/io/memory_limit.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::io;

namespace {

constexpr const char* kMeminfo =
    "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n";

}  // namespace

TEST_CASE("Free memory is what the system has available") {
    const test::TemporaryFolder root;
    CHECK_FALSE(availableMemory(root.path("")));
    root.file("proc/meminfo", kMeminfo);
    CHECK(availableMemory(root.path("")) == 8'000'000ULL * 1024);
    root.file("proc/self/status", "Name:\tx\nVmPeak:\t  90000 kB\nVmSize:\t  60000 kB\n");
    const auto limitedTo = [&](const std::string& value) {
        root.file("proc/self/limits",
                  "Limit                     Soft Limit           Hard Limit    \n"
                  "Max address space         " +
                      value + "            unlimited            bytes     \n");
        return availableMemory(root.path(""));
    };
    CHECK(limitedTo("unlimited") == 8'000'000ULL * 1024);
    CHECK(limitedTo("102400000") == (100'000 - 60'000) * 1024);
    CHECK(limitedTo("1024") == 0);
}

TEST_CASE("Groups of version 2 and their parents bound the free memory") {
    const test::TemporaryFolder root;
    root.file("proc/meminfo", kMeminfo);
    root.file("proc/self/cgroup", "0::/user/app\n");
    root.file("sys/fs/cgroup/user/app/memory.max", "max\n");
    root.file("sys/fs/cgroup/user/app/memory.current", "100\n");
    CHECK(availableMemory(root.path("")) == 8'000'000ULL * 1024);
    root.file("sys/fs/cgroup/user/memory.max", "5000000\n");
    root.file("sys/fs/cgroup/user/memory.current", "3000000\n");
    CHECK(availableMemory(root.path("")) == 2'000'000);
    // File cache can be given back at any time.
    root.file("sys/fs/cgroup/user/memory.stat",
              "anon 1\nfile 9\ninactive_file 400000\nactive_file 600000\n");
    CHECK(availableMemory(root.path("")) == 3'000'000);
    root.file("sys/fs/cgroup/user/app/memory.max", "1000000\n");
    CHECK(availableMemory(root.path("")) == 1'000'000 - 100);
    root.file("sys/fs/cgroup/user/app/memory.current", "2000000\n");
    CHECK(availableMemory(root.path("")) == 0);
}

TEST_CASE("Groups of version 1 bound the free memory") {
    const test::TemporaryFolder root;
    root.file("proc/meminfo", kMeminfo);
    root.file("proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory:/job\n0::/\n");
    root.file("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "7000000\n");
    root.file("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "3000000\n");
    root.file("sys/fs/cgroup/memory/job/memory.stat",
              "inactive_file 5\ntotal_inactive_file 1000000\n");
    CHECK(availableMemory(root.path("")) == 5'000'000);
    // In a container the own group is mounted as the topmost one while its name is that outside.
    root.file("proc/self/cgroup", "0::/outside/name\n");
    root.file("sys/fs/cgroup/memory.max", "4000000\n");
    root.file("sys/fs/cgroup/memory.current", "1000000\n");
    CHECK(availableMemory(root.path("")) == 3'000'000);
}

TEST_CASE("A budget refuses what is beyond its limit and names both sizes") {
    const MemoryBudget budget(100'000'000);
    CHECK(budget.check(100'000'000.0, "rows", "load fewer"));
    test::checkRefused(budget.check(250e6, "1,000 rows of 3 values", "load fewer"),
                       ErrorCode::resourceLimit,
                       "1,000 rows of 3 values need about 250 MB of memory, 100 MB are allowed");
    // Rounding does not make them equal.
    test::checkRefused(budget.check(100'000'001.0, "rows", "load fewer"), ErrorCode::resourceLimit,
                       "need about 101 MB of memory, 100 MB are allowed");
    test::checkRefused(MemoryBudget(0).check(1e300, "rows", "load fewer"), ErrorCode::resourceLimit,
                       " are free;");
    CHECK(MemoryBudget(0).limit() > 0);
}
