#pragma once

#include <cstddef>
#include <functional>

namespace epsilens::test {

/// How many times as long some work takes for eight times as much. Measured in processor time of
/// this process, the least of three runs, so that neither the machine nor its load counts.
///
/// size  a multiple of 8, the larger one
[[nodiscard]] double growth(std::size_t size, const std::function<void(std::size_t size)>& work);

/// Between 8, for work that is linear in its size, and 64, for work that grows with its square.
constexpr double kMostLinearGrowth = 24.0;

/// What this process takes at most beyond what it had when this was made. Sanitizers take memory of
/// their own, so that it tells nothing there.
class PeakMemory {
public:
    PeakMemory();
    [[nodiscard]] double bytes() const;

private:
    double m_before = 0.0;
};

}  // namespace epsilens::test
