#pragma once

#include <cstdint>
#include <functional>

#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::calibration {

/// How much a run does: so many words, each with so many draws.
struct RunSize {
    std::int64_t words = 1;
    std::int64_t draws = 1;
};

/// Does the work of a run of this size and drops what comes of it.
using TrialRun = std::function<Result<void>(const RunSize&)>;

/// What the parts of a run take, in seconds on all the threads it uses.
struct RunRates {
    double once = 0.0;
    double perWord = 0.0;
    double perDraw = 0.0;  ///< each time the draws are prepared for a group of words
    double perWordAndDraw = 0.0;

    /// Seconds of a run that prepares its draws so many times.
    [[nodiscard]] double seconds(const RunSize& run, std::int64_t groups) const;
};

/// What a run of this size took.
struct TimedRun {
    RunSize size{};
    double seconds = 0.0;
};

/// Rates by which four runs take what they took, up to rates that would be negative, which are 0:
/// the least one, one with more words, one with more draws, one with both. A difference of size
/// that is 0 leaves its rates at 0.
[[nodiscard]] RunRates ratesOf(const TimedRun& least, double moreWords, double moreDraws,
                               const TimedRun& most);

/// Measures the rates by small runs of the same work, so that no constant of a machine is needed.
/// The first run is not counted: it also fills what later runs find in memory.
///
/// largest  of the small runs, >= 1 each
/// Fails as the trial does.
[[nodiscard]] Result<RunRates> measureRates(const TrialRun& trial, const RunSize& largest);

}  // namespace epsilens::calibration
