#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/attack/findings.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/share.h"

namespace epsilens::attack {

/// A case that an attacker scores: the larger the score, the surer he is that it is a member.
struct ScoredCase {
    double score = 0.0;
    bool isMember = false;
    /// What was drawn as one, such as a document or an author, from 0; equal numbers are resampled
    /// together.
    std::int32_t cluster = 0;
};
using ScoredCases = std::vector<ScoredCase>;

/// members   1 or 0
/// clusters  empty: each case is one of its own
[[nodiscard]] ScoredCases scoredCases(const VectorD& scores, std::span<const std::uint8_t> members,
                                      std::span<const std::int32_t> clusters = {});

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
[[nodiscard]] corpus::Interval areaInterval(double area, double members, double others);

/// The score at which TPR - FPR is largest, the largest of equal ones: what an attacker sets on
/// cases that he knows.
[[nodiscard]] double bestThreshold(const ScoredCases& cases);

/// A model of two classes, 1 and 0, on few features: cases x features, finite.
/// Returns the logarithm of the odds for class 1, for each case.
using Scorer = std::function<VectorD(const RowMatrixD& features)>;

/// Logistic regression, Pr[1 | x] = 1 / (1 + e^{-(w.x + b)}). Minimises
/// sum_i ln(1 + e^{-y_i (w.x_i + b)}) + penalty/2 ||w||^2 over standardised features, by Newton's
/// method with halved steps.
///
/// labels   1 or 0, one for each case, both occurring
/// penalty  > 0
[[nodiscard]] Scorer fitLogistic(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                                 double penalty = 1.0);

/// A perceptron with two hidden layers of 64 rectified units, trained by Adam on the logistic loss,
/// 20 epochs in batches of 64, from weights drawn by He's rule. Its features are standardised.
///
/// labels  as fitLogistic
/// Fails with cancelled.
/// Source: the attack model of Carvalho et al. 2021, appendix C; Kingma and Ba 2015, algorithm 1;
/// He et al. 2015, equation 10
[[nodiscard]] Result<Scorer> fitPerceptron(const RowMatrixD& features,
                                           std::span<const std::uint8_t> labels, std::uint64_t seed,
                                           const JobContext& job = {});

/// What a classifier says about documents of which it was trained on some.
struct ClassifierOutputs {
    RowMatrixD probabilities{};           ///< documents x classes, each row sums to 1
    std::vector<std::int32_t> labels{};   ///< true class of each document
    std::vector<std::uint8_t> members{};  ///< 1: it was trained on the document
};

/// Infers which documents the target was trained on. The attacker trains a shadow classifier in
/// the same way on documents of his own, learns from its outputs how members differ, and applies
/// this to the outputs of the target:
///   threshold   score -loss, no learning but of the threshold
///   perceptron  two layers of 64 on the class probabilities
/// Returns how members of the target are told from its other documents by each, as detect with the
/// path threshold. or perceptron., at the threshold that is best on the shadow, each document a
/// cluster of its own.
///
/// shadow, target  both with members and with others, labels within the classes
/// options         also the seed of the perceptron
/// Fails with cancelled.
/// Source: Yeom et al. 2018; Carvalho et al. 2021, appendix C; Shokri et al. 2017. Derivation:
/// membership.md
[[nodiscard]] Result<Findings> inferMembership(const ClassifierOutputs& shadow,
                                               const ClassifierOutputs& target,
                                               const BootstrapOptions& options,
                                               const JobContext& job = {});

}  // namespace epsilens::attack
