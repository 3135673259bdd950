#pragma once

#include <cstdint>
#include <functional>

namespace epsilens {

/// Threads used when a caller passes 0: the processors this process may run on.
[[nodiscard]] int defaultThreadCount();

/// Threads that defaultThreadCount() gives from now on, for the whole process: what an analyst
/// allows. Results do not depend on it.
///
/// threads  >= 1; 0, as at the start, for the processors this process may run on
void setThreadLimit(int threads);

/// What a caller passes for all of them.
inline constexpr int kAllThreads = 0;

/// Calls body(index) once for every index in [0, count), on up to `threads` threads (0: all).
///
/// Indices are handed out in rising order; which thread gets which is not determined, so results
/// must not depend on it. The first exception thrown by the body ends the loop and is rethrown
/// here. The only parallel loop of the project: its counter orders memory before the fork and after
/// the join, which lets ThreadSanitizer follow it through the uninstrumented scheduler.
void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace epsilens
