#pragma once

#include <vector>

#include "core/report/report_model.h"

/// Drawings of a report: of the memo two over the same axis of epsilon, what is promised and what
/// survives; of the appendix N_w and S_w.
namespace epsilens::report {

using PairOddsList = std::vector<calibration::Findings::Odds>;

/// At most three pairs of words for the memo: the first, which the analyst may have chosen, and of
/// the others the nearest and the farthest; by rising distance.
[[nodiscard]] PairOddsList shownPairs(const Findings& findings);

/// The largest epsilon at which the odds of two words change by at most a factor, as the guarantee
/// of the same mechanism at another epsilon tells: infinite where a cap holds them there for all.
///
/// guarantee  that promises something
/// cell       its setting
/// distance   of the words in the metric of the guarantee, > 0
/// factor     > 1
[[nodiscard]] double epsilonOfOdds(const mechanism::Guarantee& guarantee,
                                   const calibration::Cell& cell, double distance, double factor);

/// The axis of both drawings, logarithmic above its origin.
struct MemoAxis {
    static constexpr double kWidth = 824.0;  ///< of the drawings: the text of a page of A4
    static constexpr double kLeft = 190.0;   ///< room for names and counts at the left
    static constexpr double kRight = 814.0;

    double low = 1.0;
    double high = 10.0;
    double origin = 0.0;  ///< the mechanism exists above it only

    [[nodiscard]] double x(double epsilon) const;
    [[nodiscard]] bool shows(double epsilon) const { return epsilon >= low && epsilon <= high; }
};

/// From where the odds of the first pair change by ten times, if that is lower than all settings
/// that were measured, to the largest of these.
[[nodiscard]] MemoAxis memoAxis(const Report& report, const Findings& findings);

/// The ruler of each of some pairs: up to which epsilon the odds change by at most ×2, ×10, ×1,000
/// and ×1,000,000, and from where on there is no useful bound.
///
/// pairs  at least one, each with a guarantee
[[nodiscard]] Figure promiseFigure(const Report& report, const Findings& findings,
                                   const PairOddsList& pairs);

/// Kept, near and far against epsilon, stacked as on the dial, with the settings outside the limits
/// hatched and the chosen epsilon as a line.
[[nodiscard]] Figure shareFigure(const Report& report, const Findings& findings);

/// N_w and S_w against epsilon, beside each other.
[[nodiscard]] Figure curvesFigure(const Report& report, const Findings& findings);

}  // namespace epsilens::report
