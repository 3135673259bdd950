#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/base/eigen.h"

namespace epsilens::test {

/// Output probabilities of mechanisms on small vocabularies, computed from the law of the noise
/// without drawing anything and without code of the core, and the largest log ratio among them: an
/// audit that a stated guarantee has to pass.
///
/// A table of probabilities has a row per input and a column per output.

/// Pr[low < noise <= high] of the two-sided exponential law epsilon/2 e^{-epsilon |x|}, without
/// cancellation in the tails; either end may be infinite.
[[nodiscard]] double laplaceMass(double low, double high, double epsilon);

/// Words on a line: each output is the interval between the midpoints to its neighbours.
///
/// places     distinct, in any order
/// noiseMass  probability that the noise falls between two numbers, which may be infinite
[[nodiscard]] RowMatrixD lineProbabilities(
    std::span<const double> places,
    const std::function<double(double low, double high)>& noiseMass);

/// A word in the plane. The word returned for v is that of the least weight ||v - (x, y)||^2:
/// weight 1 is the Euclidean distance, 1 / (1 - x^2 - y^2) in the unit disc the Poincare distance.
struct Site {
    double x = 0.0;
    double y = 0.0;
    double weight = 1.0;
};

struct PlaneMechanism {
    std::vector<Site> sites{};
    /// Density of the noisy point at (x, y) for an input, with respect to Lebesgue measure; smooth
    /// but at the input's own place.
    std::function<double(std::size_t word, double x, double y)> density{};
    /// Length over which the density falls by about a factor e; in the disc of hyperbolic length.
    double scale = 1.0;
    bool unitDisc = false;  ///< the noisy point stays in the open unit disc
};

/// Words in the plane, by quadrature in polar coordinates about each input: along a ray the cells
/// follow each other at roots of quadratics, and between the angles where their order changes the
/// integrand is smooth. Relative error of each entry below about 1e-9, small ones too.
[[nodiscard]] RowMatrixD planeProbabilities(const PlaneMechanism& mechanism);

/// The largest share of what a guarantee admits that a log ratio ln(Pr[M(first) = output] /
/// Pr[M(second) = output]) reaches; above 1: a broken promise.
///
/// allowed  largest log ratio that the guarantee admits for two different inputs, > 0
[[nodiscard]] double largestShare(
    const RowMatrixD& probabilities,
    const std::function<double(Eigen::Index first, Eigen::Index second)>& allowed);

/// Pearson's statistic of counts against probabilities; outputs expected fewer than 5 times are
/// taken together.
struct ChiSquare {
    double statistic = 0.0;
    int degreesOfFreedom = 0;
};
[[nodiscard]] ChiSquare chiSquare(std::span<const int> counts, const VectorD& probabilities);

/// Value that the statistic of a true hypothesis exceeds with the given probability.
[[nodiscard]] double chiSquareCritical(int degreesOfFreedom, double falseAlarmRate);

/// Numbers as a vector.
[[nodiscard]] inline VectorD vectorOf(const std::vector<double>& values) {
    return Eigen::Map<const VectorD>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The statistic over its critical value: above 1 for true probabilities with the given
/// probability.
[[nodiscard]] double misfit(std::span<const int> counts, const VectorD& probabilities,
                            double falseAlarmRate);

}  // namespace epsilens::test
