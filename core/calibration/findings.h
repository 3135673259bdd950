#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/limits.h"
#include "core/calibration/run.h"

namespace epsilens::calibration {

/// The setting that is recommended for use: one of the calibrated ones.
struct Choice {
    double epsilon = 0.0;
    std::optional<double> lambda{};  ///< nothing: any
    std::optional<double> gamma{};   ///< nothing: any
};

[[nodiscard]] Choice choiceOf(const Cell& cell);

/// What limits and a choice say about a run.
struct Findings {
    /// Odds of one pair of words at the chosen setting.
    struct Odds {
        PairDistance pair{};
        double factor = 1.0;  ///< the largest by which the odds change
    };

    /// Index of the chosen setting among the cells; nothing without a choice.
    std::optional<std::size_t> cell{};
    /// Indices of the cells that meet all limits, chosen or not; none if there are no limits.
    std::vector<std::size_t> withinLimits{};
    std::vector<LimitCheck> limits{};  ///< of the chosen cell
    std::vector<Odds> odds{};
};

/// Fails with invalidArgument if the chosen setting is not among the calibrated ones (the message
/// lists those that are near it), and as checkLimit.
[[nodiscard]] Result<Findings> findingsOf(const Run& run, const std::vector<Limit>& limits,
                                          const std::optional<Choice>& choice);

/// The setting to choose if the analyst leaves that open: the only cell there is, else the largest
/// epsilon that meets all limits, the first of equal ones. Nothing without limits or if no cell
/// meets them. Fails as checkLimit.
[[nodiscard]] Result<std::optional<Choice>> proposedChoice(const Run& run,
                                                           const std::vector<Limit>& limits);

}  // namespace epsilens::calibration
