#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/epsilon_found.h"
#include "core/experiment/epsilon_scan.h"
#include "core/experiment/figure_limit.h"

/// Where along epsilon the figures of one setting keep within limits.
namespace epsilens::experiment {

/// Steps that a search within limits first takes at once.
inline constexpr int kCoarseSteps = 5;

/// As many epsilons as a search within limits looks at where it ends as late as it can, by limits
/// on risk; for an estimate of its cost.
[[nodiscard]] std::vector<double> searchedEpsilons(const calibration::EpsilonSpan& span,
                                                   double origin);

/// The largest epsilon of a setting within limits.
struct LimitsFound {
    std::optional<double> epsilon{};    ///< nothing where none that was looked at meets all limits
    std::vector<FigureCheck> checks{};  ///< there, or at `closest`; empty where nothing was read
    /// There, with splits and draws of another seed, on which the search did not rest; where asked
    /// for.
    std::vector<FigureCheck> fresh{};
    std::optional<double> above{};  ///< the next one looked at, which misses a limit
    /// The limit missed by most at `above`; without an epsilon, in `checks`.
    std::optional<FigureCheck> binding{};
    double closest = 0.0;  ///< without an epsilon: where the limits are missed by least
    calibration::EpsilonSpan searched{};
    double lookedTo = 0.0;  ///< above it nothing was looked at: a limit on risk had failed
    int looked = 0;         ///< epsilons at which a figure was measured
};

/// The largest epsilon that meets all limits and below which every epsilon looked at meets those
/// on risk. Looks at every kCoarseSteps-th step of a scan, from the least epsilon until a limit on
/// risk fails, then at the steps between the last two, and refines the last step, unless limits on
/// use are missed at both ends of what would be cut. The figures of
/// use are measured only where they can matter: from the largest epsilon within the limits on risk
/// down to the first that meets all limits, and at the next one above it; if use ends it, the same
/// steps are cut there. This is what measuring every figure at every epsilon looked at finds.
///
/// limits  at least one; the figures read are theirs
/// also    other conditions that the epsilon must meet; null: none
/// Fails as read and also do.
[[nodiscard]] Result<LimitsFound> findWithinLimits(const calibration::EpsilonSpan& span,
                                                   double origin,
                                                   const std::vector<FigureLimit>& limits,
                                                   const std::function<Result<bool>(double)>& also,
                                                   const ReadFigures& read,
                                                   const JobContext& job = {});

}  // namespace epsilens::experiment
