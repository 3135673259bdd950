#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/epsilon_found.h"
#include "core/experiment/figure_limit.h"

/// Looking along epsilon at the figures of one setting. Figures that are measured on a text are not
/// monotone in epsilon: a search climbs from the least one, and halves the last step alone.
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

/// Steps of a scan in a factor of ten of epsilon - origin.
inline constexpr int kStepsPerDecade = 8;
/// How often the step is halved that holds the end of a search.
inline constexpr int kHalvings = 5;

/// The ends of a span and the epsilons between its even steps of ln(epsilon - origin), rising;
/// inner ones have 6 digits. One epsilon where the ends are equal.
///
/// origin  what epsilon exceeds, below the span
[[nodiscard]] std::vector<double> scanEpsilons(const calibration::EpsilonSpan& span, double origin);

/// The epsilon in the middle of two, as a scan has it; the lower one where none lies between them.
[[nodiscard]] double epsilonBetween(double low, double high, double origin);

/// A part of a search, which says of itself which epsilons are tried.
///
/// begin, end  shares of the search
/// epsilons    not empty
/// found       what is known so far, said before it; may be empty
[[nodiscard]] JobContext tryingPart(const JobContext& job, double begin, double end,
                                    std::span<const double> epsilons,
                                    const std::string& found = {});

}  // namespace epsilens::experiment
