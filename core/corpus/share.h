#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/calibration/summary.h"

namespace epsilens::corpus {

/// Which draws of the mechanism tokens share, a number for each token: two that have the same one
/// depend on each other. Empty where all tokens have draws of their own.
using SharedDraws = std::vector<std::int32_t>;

/// Those of some tokens, by their places.
[[nodiscard]] SharedDraws drawsAt(const SharedDraws& draws, std::span<const std::size_t> tokens);

using calibration::Interval;

/// A measured value with its 95% interval; NaN where it does not exist.
struct Measured {
    double value = 0.0;
    Interval ci95{};  ///< nothing where it is exact or cannot be had
};

/// Mean over tokens of values in [0, 1], with the interval of a ratio of sums over documents, which
/// are what was drawn: tokens of one document are alike. No interval for fewer than two of them.
///   r = sum_d s_d / sum_d n_d,  SE^2 = D / (D - 1) sum_d (s_d - r n_d)^2 / (sum_d n_d)^2,
/// to which tokens of several documents that share a draw add what their residuals have in common:
/// sum_g e_g^2 - sum_dg e_dg^2 over draws g and the tokens of document d with draw g, where that is
/// above 0. In Wilson's form for the number of independent tokens that this
/// standard error stands for, less what Student's t with D - 1 degrees of freedom exceeds the
/// normal law; where the documents do not vary, as with no success at all, this number is D: a mean
/// of D independent values in [0, 1] varies at most as that of D draws.
///
/// documents  of each value, equal ones next to each other
/// draws      of each value
/// Source: Cochran 1977, equation 6.13; Korn and Graubard 1998; Cameron, Gelbach and Miller 2011
/// for clusters of two kinds.
[[nodiscard]] Measured shareByDocuments(std::span<const float> values,
                                        std::span<const std::int32_t> documents,
                                        const SharedDraws& draws = {});

/// first - second of each pair of values.
template <typename Values>
[[nodiscard]] std::vector<double> differencesOf(const Values& first, const Values& second) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i) {
        differences.push_back(static_cast<double>(first[i]) - static_cast<double>(second[i]));
    }
    return differences;
}

/// Mean over tokens of first - second, paired, with the interval of Student's t of the same
/// standard error.
/// Where the documents do not vary: if no token differs, up to Wilson's upper end of 0 of D
/// documents that differ, in both directions; else of (1 + difference) / 2 as a share of D.
[[nodiscard]] Measured differenceByDocuments(std::span<const float> first,
                                             std::span<const float> second,
                                             std::span<const std::int32_t> documents,
                                             const SharedDraws& draws = {});

/// Wilson's 95% interval of a share of `count` independent draws. count  > 0
[[nodiscard]] std::array<double, 2> wilsonInterval(double share, double count);

}  // namespace epsilens::corpus
