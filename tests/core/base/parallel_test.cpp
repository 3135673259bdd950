#include "core/base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("Every index runs exactly once for any number of threads") {
    const int threads = GENERATE(1, 2, 7);
    std::vector<std::atomic<int>> runs(1000);
    parallelFor(1000, threads, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& count : runs) {
        REQUIRE(count == 1);
    }
}

TEST_CASE("An exception of the body reaches the caller") {
    const auto body = [](std::int64_t i) {
        if (i == 3) {
            throw std::runtime_error("three");
        }
    };
    CHECK_THROWS_WITH(parallelFor(10, 2, body), "three");
}

TEST_CASE("A limit of threads holds until it is taken back") {
    const int processors = defaultThreadCount();
    setThreadLimit(1);
    CHECK(defaultThreadCount() == 1);
    const std::thread::id here = std::this_thread::get_id();
    parallelFor(8, 0, [&](std::int64_t) { CHECK(std::this_thread::get_id() == here); });
    setThreadLimit(7);
    CHECK(defaultThreadCount() == 7);
    setThreadLimit(0);
    CHECK(defaultThreadCount() == processors);
}
