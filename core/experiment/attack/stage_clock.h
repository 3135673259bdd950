#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <utility>

namespace epsilens::experiment {

/// Foretells what a run takes by a part of it. While a clock lives, inParallel on its thread solves
/// only some items of each stage, and the clock counts the others by them. What such a run returns
/// is of no use.
class StageClock {
public:
    /// Of one worker in one stage; more only to solve an item at all.
    static constexpr double kSecondsOfWorker = 0.03;

    StageClock() : m_outer(std::exchange(currentClock, this)) {}
    ~StageClock() { currentClock = m_outer; }
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;

    /// The clock of this thread that was made last, or null.
    [[nodiscard]] static StageClock* current() { return currentClock; }

    /// Since the clock was made, with the items that were left out.
    [[nodiscard]] double seconds() const { return since(m_start) + m_leftOut; }
    void addLeftOut(double seconds) { m_leftOut += seconds; }

    [[nodiscard]] static double since(std::chrono::steady_clock::time_point start) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

private:
    static inline thread_local StageClock* currentClock = nullptr;

    StageClock* m_outer;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    double m_leftOut = 0.0;
};

/// The items of a stage in an order whose beginnings are spread over all of them.
///
/// i  below items
[[nodiscard]] inline std::size_t spreadItem(std::size_t i, std::size_t items) {
    // A step without a common divisor meets every item once; the golden ratio spreads best.
    constexpr double kGoldenRatio = 0.6180339887498949;
    auto step = std::max<std::size_t>(
        1, static_cast<std::size_t>(kGoldenRatio * static_cast<double>(items)));
    while (std::gcd(step, items) != 1) {
        ++step;
    }
    return i * step % items;
}

}  // namespace epsilens::experiment
