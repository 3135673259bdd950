#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/attack/findings.h"

namespace epsilens::attack {

/// Cases that an attacker scores, of which some are members: the larger the score, the surer he is.
struct ScoredCases {
    std::vector<double> scores{};
    std::vector<std::uint8_t> members{};  ///< 1 or 0
    /// What was drawn as one, such as a document or an author, from 0; equal numbers are resampled
    /// together.
    std::vector<std::int32_t> clusters{};
};

/// False alarms of tprAt1.
inline constexpr double kFewAlarms = 0.01;

struct BootstrapOptions {
    int resamples = 1000;  ///< >= 40
    std::uint64_t seed = 1;
    int threads = 0;
};

/// How well members are told from the others, a case called a member when its score is at least the
/// threshold. Adds the figures
///
///   auc        probability that a member has the larger score, ties counting half
///   accuracy
///   precision  NaN if no case is called a member
///   recall     TPR, share of the members that are called so
///   advantage  TPR - FPR; may be negative
///   tprAt1     largest TPR of a threshold with FPR of at most 1%: how surely some members are
///   found
///
/// Intervals are the 2.5% and 97.5% quantiles over resamples of whole clusters. Where these are
/// equal they show no spread, and for fewer than ten clusters too little: a score interval takes
/// their place, with the clusters as independent cases: Wilson's for shares, for accuracy of all
/// clusters, for precision of those with a case called a member, for recall of those with members;
/// for the advantage its combination for a difference; for the AUC the score interval with the
/// variance of Hanley and McNeil. Nothing where there are fewer than two such clusters.
///
/// cases  at least one member and one other
/// path   before the names: "adaptive."
/// Source: Davison and Hinkley 1997, sections 2.4 and 3.8; Newcombe 1998, Statistics in Medicine
/// 17, 873, method 10, and 2006, Statistics in Medicine 25, 559, method 5
void detect(const ScoredCases& cases, double threshold, const BootstrapOptions& options,
            const std::string& path, Findings& findings);

/// Area under the ROC curve, as auc of detect; NaN unless there are members and others.
[[nodiscard]] double areaUnderCurve(const ScoredCases& cases);

/// The score interval of an AUC: the areas A with |area - A| <= 1.96 sqrt(V(A)),
///   V(A) = A (1 - A) / (m n) (1 + N (1 - A) / (2 - A) + N A / (1 + A)),  N = (m + n) / 2 - 1,
/// for m members and n others that are independent. Nothing for fewer than two of either.
/// Source: Newcombe 2006, method 5; variance by Hanley and McNeil 1982
[[nodiscard]] std::optional<std::array<double, 2>> areaInterval(double area, double members,
                                                                double others);

/// The score at which TPR - FPR is largest, the largest of equal ones: what an attacker sets on
/// cases that he knows.
[[nodiscard]] double bestThreshold(const ScoredCases& cases);

}  // namespace epsilens::attack
