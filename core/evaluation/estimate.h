#pragma once

#include <span>
#include <vector>

#include "core/corpus/share.h"

namespace epsilens::evaluation {

/// A measured figure. Derivation: utility.md
struct Estimate {
    double mean = 0.0;           ///< NaN where it does not exist
    corpus::Interval ci95{};     ///< nothing where it cannot be had
    double standardError = 0.0;  ///< NaN where it cannot be had
    double degrees = 0.0;        ///< of freedom, of the interval
};

/// How the repeats of a run are related.
struct RepeatDesign {
    /// Test documents per training document, where each repeat splits the data at random; 0 where
    /// all repeats share one split.
    double testRatio = 0.0;
    /// Variance of the mean that comes from the choice of the test documents, where all repeats
    /// share them.
    double sharedVariance = 0.0;
    /// Independent test documents of a repeat, where the values are shares of them; 0 where they
    /// are not.
    double cases = 0.0;
};

/// Mean over repeats, with an interval of Student's t.
///
/// The variance is s^2 (1/n + testRatio) + sharedVariance: the trainings of random splits share
/// documents, which the ratio makes up for. The first part has n - 1 degrees of freedom, the second
/// many, both together those of Satterthwaite. A share of documents of random splits varies at
/// least as one of all documents that are tested or learned from. No interval for fewer than two
/// repeats. Where the repeats do not vary, shares of documents have Wilson's interval for those of
/// one repeat; other figures have none, nor a standard error, unless the test documents vary.
///
/// values  of each repeat; those that are NaN do not count
/// Source: Nadeau and Bengio 2003, corrected resampled t test; Satterthwaite 1946
[[nodiscard]] Estimate estimateOf(std::span<const double> values, const RepeatDesign& design);

/// Cuts off what an interval, or a mean, has beyond the values that there are.
[[nodiscard]] Estimate within(Estimate estimate, double low, double high);

/// Accuracies of a condition.
struct Accuracies {
    std::vector<double> repeats{};
    /// Of each test document, as ClassifierResults::correct; empty unless all repeats share them.
    std::vector<double> documents{};
};

/// (value - floor) / (ceiling - floor) of means over paired repeats, with the interval of the
/// linearised ratio, both cut to [0, 1]; NaN where ceiling - floor is under twice its standard
/// error, or where that cannot be had. The choice of test documents that all repeats share counts
/// in both, by the variance of the same linear form over these documents. Where all repeats are as
/// the ceiling or as the floor, that is the interval of a difference of 0: in both directions
/// Wilson's upper end for none of so many documents as have the variance of the repeats, n_test /
/// (1/n + testRatio).
[[nodiscard]] Estimate retainedShare(const Accuracies& values, const Accuracies& floor,
                                     const Accuracies& ceiling, const RepeatDesign& design);

/// Estimated variance of independent values, those that are NaN left out; 0 for fewer than two.
[[nodiscard]] double varianceOf(std::span<const double> values);

/// What is known about a difference.
enum class Verdict {
    undecided,
    different,     ///< from 0, at 5 % over all comparisons
    withinMargin,  ///< no difference: smaller than the margin, at 5 % over all comparisons
};

/// A difference of two settings over paired repeats.
struct Difference {
    Estimate difference{};
    /// Two-sided, of no difference; before Holm. 1, as the next, where there is no standard error.
    double pDifferent = 1.0;
    double pWithinMargin = 1.0;  ///< of a difference of the margin or more; before Holm
    Verdict verdict = Verdict::undecided;
};

/// Compares paired values; the verdict stays open. The choice of test documents that all repeats
/// share counts too.
///
/// margin  > 0
[[nodiscard]] Difference compareRepeats(const Accuracies& first, const Accuracies& second,
                                        RepeatDesign design, double margin);
/// Sets the verdicts of several comparisons so that a wrong one of each kind has a probability of
/// at most 5 % among all of them. Source: Holm 1979; two one-sided tests, Schuirmann 1987
void decide(std::vector<Difference>& differences);

/// Smallest p-values first, each times the number of those that are left: p-values that hold over
/// all comparisons.
[[nodiscard]] std::vector<double> holmAdjusted(std::span<const double> pValues);

}  // namespace epsilens::evaluation
