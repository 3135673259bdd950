#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace epsilens::bench {

/// Time of some work.
[[nodiscard]] double milliseconds(const std::function<void()>& work);

/// Handles events until the condition holds; returns whether it came to hold within a minute.
[[nodiscard]] bool waitFor(const std::function<bool()>& condition);

/// Handles what a change of the window brought about, queued drawings included.
void finishFrame();

/// "moving epsilon: median 1.00 ms, 95% 2.00 ms, 99% 3.00 ms, longest 4.00 ms".
///
/// times  milliseconds of frames, at least one
void printTimes(std::string_view what, std::vector<double> times);

}  // namespace epsilens::bench
