#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/limits.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/figure_limit.h"

/// Where along epsilon the figures of one setting keep within limits. Figures that are measured on
/// a text are not monotone in epsilon: a search climbs from the least one, and halves the last step
/// alone.
namespace epsilens::evaluation {

/// Of each epsilon the figures that were asked for, in their order.
using Readings = std::vector<std::vector<FigureValue>>;

/// Measures a setting at epsilons, which rise.
///
/// figures  which of the limits' figures to measure, by their places, rising; not empty. A figure
///          has the same value whatever is measured beside it.
using ReadFigures = std::function<Result<Readings>(
    std::span<const double> epsilons, std::span<const std::size_t> figures, const JobContext& job)>;

/// Steps of a scan in a factor of ten of epsilon - origin.
inline constexpr int kStepsPerDecade = 8;
/// How often the step is halved that holds the end of a search.
inline constexpr int kHalvings = 5;

/// The ends of a span and the epsilons between its even steps of ln(epsilon - origin), rising;
/// inner ones have 6 digits. One epsilon where the ends are equal.
///
/// origin  what epsilon exceeds, below the span
[[nodiscard]] std::vector<double> scanEpsilons(const calibration::EpsilonSpan& span, double origin);

/// An epsilon at which figures were measured, held against the limits on them.
struct TriedEpsilon {
    double epsilon = 0.0;
    std::vector<FigureCheck> checks{};  ///< of the limits whose figures were measured
};

/// The largest epsilon of a setting within limits.
struct LimitsFound {
    std::optional<double> epsilon{};    ///< nothing where none that was looked at meets all limits
    std::vector<FigureCheck> checks{};  ///< there, or at `closest`; empty where nothing was read
    /// There, with splits and draws of another seed, on which the search did not rest; where asked
    /// for.
    std::vector<FigureCheck> fresh{};
    /// The evaluation that these are of; nothing where it was not asked for.
    std::optional<EvaluationSummary> again{};
    std::optional<double> above{};  ///< the next one looked at, which misses a limit
    /// The limit missed by most at `above`; without an epsilon, in `checks`.
    std::optional<FigureCheck> binding{};
    double closest = 0.0;  ///< without an epsilon: where the limits are missed by least
    calibration::EpsilonSpan searched{};
    double lookedTo = 0.0;  ///< above it nothing was looked at: a limit on risk had failed
    int looked = 0;         ///< epsilons at which a figure was measured
    std::vector<TriedEpsilon> tried{};  ///< these, rising
};

/// The largest epsilon that meets all limits and below which every epsilon looked at meets those
/// on risk. Looks at the steps of a scan from the least epsilon on until a limit on risk fails, and
/// halves that step, unless limits on use are missed at both of its ends. The figures of use are
/// measured only where they can matter: from the largest epsilon within the limits on risk down to
/// the first that meets all limits; if use or `also` ends it, the step above is halved as well.
///
/// limits  at least one, or a match alone, which is met by no epsilon where it is never exceeded;
/// the
///         figures read are theirs
/// also    other conditions that the epsilon must meet; null: none
/// Fails as read and also do.
[[nodiscard]] Result<LimitsFound> findWithinLimits(const calibration::EpsilonSpan& span,
                                                   double origin,
                                                   const std::vector<FigureLimit>& limits,
                                                   const std::function<Result<bool>(double)>& also,
                                                   const ReadFigures& read,
                                                   const JobContext& job = {});

}  // namespace epsilens::evaluation
