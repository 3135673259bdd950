#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/epsilon_found.h"
#include "core/experiment/figure_limit.h"

/// Where along epsilon the figures of one setting meet what is asked of them. Figures that are
/// measured on a text are not monotone in epsilon, so that no search may jump.
namespace epsilens::experiment {

/// Figures at one epsilon, in the order asked for.
struct Reading {
    double epsilon = 0.0;
    std::vector<FigureValue> figures{};
};

/// Measures a setting at epsilons, which rise.
///
/// figures  which of the limits' figures to measure, by their places, rising; not empty. A figure
///          has the same value whatever is measured beside it.
using ReadFigures = std::function<Result<std::vector<Reading>>(
    std::span<const double> epsilons, std::span<const std::size_t> figures, const JobContext& job)>;

/// Steps of a scan, evenly in ln(epsilon - origin).
inline constexpr int kScanSteps = 40;
/// Parts into which the step is cut that holds the end of a search.
inline constexpr int kRefinedParts = 8;

/// The ends of a span and the epsilons between its steps, rising; inner ones have 6 digits.
///
/// origin  what epsilon exceeds, below the span
[[nodiscard]] std::vector<double> scanEpsilons(const calibration::EpsilonSpan& span, double origin);

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

/// Scans from the least epsilon on until the figure surely exceeds the value, and refines the step
/// in which it does so first.
///
/// limit  at most the value; the figure read is its only one
/// Fails as read does.
[[nodiscard]] Result<MatchFound> findMatch(const calibration::EpsilonSpan& span, double origin,
                                           const FigureLimit& limit, const ReadFigures& read,
                                           const JobContext& job = {});

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
/// on risk. Scans from the least epsilon until one of these fails, and refines the last step. The
/// figures of use are measured only where they can matter: from the largest epsilon within the
/// limits on risk down to the first that meets all limits, and at the next one above it. This is
/// what measuring every figure at every step finds.
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
