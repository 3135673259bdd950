#include "core/experiment/attack/stage_clock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "core/experiment/attack/in_parallel.h"

// References: sleeping, which never takes less than was asked for; counting.

using namespace epsilens;
using namespace epsilens::experiment;

namespace {

constexpr int kThreads = 2;
constexpr std::size_t kItems = 1000;
constexpr std::chrono::milliseconds kSleep{10};

/// Items that sleep, so that how long all take is known; returns how many were solved.
std::size_t sleepThrough(std::size_t items, std::chrono::milliseconds sleep,
                         const JobContext& job = {}) {
    std::atomic<std::size_t> solved{0};
    const auto done = inParallel(
        items, kThreads, "Sleeping", job, [](int) { return 0; },
        [&](int, std::size_t) {
            std::this_thread::sleep_for(sleep);
            ++solved;
        });
    CHECK(done.has_value() != job.stopRequested());
    return solved;
}

}  // namespace

TEST_CASE("Under a clock a stage solves some items and counts the others") {
    const StageClock clock;
    CHECK(StageClock::current() == &clock);
    const std::size_t solved = sleepThrough(kItems, kSleep);
    CHECK(solved < kItems / 10);
    const double all = std::chrono::duration<double>(kSleep).count() * kItems / kThreads;
    CHECK(clock.seconds() >= all);
}

TEST_CASE("Items count by their weight") {
    // The heavy half sleeps, the other one does nothing.
    const auto isHeavy = [](std::size_t item) { return item % 2 == 0; };
    const StageClock clock;
    std::atomic<std::size_t> slept{0};
    REQUIRE(inParallel(
        kItems, kThreads, "Sleeping", {}, [](int) { return 0; },
        [&](int, std::size_t item) {
            if (isHeavy(item)) {
                std::this_thread::sleep_for(kSleep);
                ++slept;
            }
        },
        [&](std::size_t item) { return isHeavy(item) ? 1.0 : 0.0; }));
    CHECK(slept < kItems / 20);
    CHECK(clock.seconds() >=
          std::chrono::duration<double>(kSleep).count() * kItems / 2.0 / kThreads);
}

TEST_CASE("Without a clock all items are solved, and a stage of few items is solved in any case") {
    CHECK(StageClock::current() == nullptr);
    CHECK(sleepThrough(kItems, std::chrono::milliseconds(0)) == kItems);
    const StageClock clock;
    CHECK(sleepThrough(kThreads, kSleep) == kThreads);
    std::stop_source source;
    source.request_stop();
    CHECK(sleepThrough(kItems, kSleep, {source.get_token(), {}}) == 0);
}

TEST_CASE("Spread items are all items once, near and far in turn") {
    const std::size_t items = GENERATE(1U, 2U, 7U, 64U, 1000U);
    CAPTURE(items);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < items; ++i) {
        order.push_back(spreadItem(i, items));
    }
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> all(items);
    std::iota(all.begin(), all.end(), std::size_t{0});
    CHECK(sorted == all);
    if (items >= 64) {
        // Eight items leave no gap of half of them.
        std::vector<std::size_t> some(order.begin(), order.begin() + 8);
        std::sort(some.begin(), some.end());
        for (std::size_t i = 1; i < some.size(); ++i) {
            CHECK(some[i] - some[i - 1] < items / 2);
        }
    }
}
