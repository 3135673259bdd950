#pragma once

#include <optional>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/epsilon_found.h"
#include "core/experiment/epsilon_scan.h"
#include "core/experiment/figure_limit.h"

namespace epsilens::experiment {

/// Where a setting has the value of a figure.
struct MatchFound {
    /// The largest epsilon looked at below which every one looked at is at most the value, itself
    /// included; nothing where the first one exceeds it already, or none does.
    std::optional<double> epsilon{};
    FigureValue figure{};           ///< there; without an epsilon, at the end nearest to the value
    std::optional<double> above{};  ///< the next one looked at, which exceeds it
    /// What the intervals of the figure leave open: below `low` every interval lies at or below the
    /// value, and `high` is the first whose interval lies above it. Nothing where none does.
    std::optional<double> low{};
    std::optional<double> high{};
    calibration::EpsilonSpan searched{};
    double lookedTo = 0.0;  ///< above it nothing was looked at: the value was exceeded for sure
    int looked = 0;
};

/// Scans from the least epsilon on until the figure surely exceeds the value, and halves the step
/// in which it does so first.
///
/// limit  at most the value; the figure read is its only one
/// Fails as read does.
[[nodiscard]] Result<MatchFound> findMatch(const calibration::EpsilonSpan& span, double origin,
                                           const FigureLimit& limit, const ReadFigures& read,
                                           const JobContext& job = {});

}  // namespace epsilens::experiment
