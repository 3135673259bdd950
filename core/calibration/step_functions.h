#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/word_steps.h"

namespace epsilens::calibration {

/// A statistic has one value at every epsilon above `from`, up to and with `to`.
struct StepValue {
    std::string_view statistic{};
    double from = 0.0;
    double to = 0.0;  ///< infinite for the last step
    double value = 0.0;
};

/// Called for each step; a failure ends the work.
using TakeStep = std::function<Result<void>(const StepValue&)>;

/// Every step of the statistics over the words, from the largest epsilon down, each as soon as its
/// end is known. Named as in calibrationCsv: mean and percentiles of nw and sw, kept, near, far,
/// meanDistance and meanCosine. Counts, percentiles and shares are exact, the sums of distances and
/// cosines up to the rounding of their terms.
///
/// words  at least one
/// Fails as take does, and with cancelled.
[[nodiscard]] Result<void> stepsOverWords(std::span<const WordSteps> words, int draws,
                                          const TakeStep& take, const JobContext& job = {});

/// The same of one word: nw, sw, near and far as counts, meanDistance and meanCosine.
[[nodiscard]] Result<void> stepsOfWord(const WordSteps& word, int draws, const TakeStep& take);

}  // namespace epsilens::calibration
