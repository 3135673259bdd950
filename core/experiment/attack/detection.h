#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/eigen.h"

namespace epsilens::experiment {

/// Cases that an attacker scores, of which some are members: the larger the score, the surer he is.
struct ScoredCases {
    std::vector<double> scores{};
    std::vector<std::uint8_t> members{};  ///< 1 or 0
    /// What was drawn as one, such as a document or an author, from 0; equal numbers are resampled
    /// together.
    std::vector<std::int32_t> clusters{};
};

/// A measured value with a 95% interval from the bootstrap; NaN where it does not exist.
struct Measured {
    double value = 0.0;
    std::array<double, 2> ci95{};
};

/// How well members are told from the others. All but the last two at a threshold.
struct Detection {
    Measured accuracy{};
    Measured precision{};  ///< NaN if no case is called a member
    Measured recall{};     ///< TPR, share of the members that are called so
    Measured advantage{};  ///< TPR - FPR; may be negative
    Measured auc{};        ///< probability that a member has the larger score, ties counting half
    /// Largest TPR of a threshold with FPR of at most 1%: how surely some members are found.
    Measured recallAtFewAlarms{};

    /// Whether members are found more often than others are called members, by the last measure.
    [[nodiscard]] bool findsMembers() const { return recallAtFewAlarms.ci95[0] > kFewAlarms; }

    static constexpr double kFewAlarms = 0.01;
};

struct BootstrapOptions {
    int resamples = 1000;  ///< >= 40
    std::uint64_t seed = 1;
    int threads = 0;
};

/// Measures of scored cases, a case called a member when its score is at least the threshold.
/// Intervals are the 2.5% and 97.5% quantiles over resamples of whole clusters.
///
/// cases  at least one member and one other
/// Source: Davison and Hinkley 1997, sections 2.4 and 3.8
[[nodiscard]] Detection detect(const ScoredCases& cases, double threshold,
                               const BootstrapOptions& options);

/// The score at which TPR - FPR is largest, the largest of equal ones: what an attacker sets on
/// cases that he knows.
[[nodiscard]] double bestThreshold(const ScoredCases& cases);

}  // namespace epsilens::experiment
