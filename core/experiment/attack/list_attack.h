#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/share.h"
#include "core/mechanism/guarantee.h"

namespace epsilens::experiment {

/// How well an attacker tells the listed words of a text.
struct ListDecisions {
    std::optional<Share> precision{};  ///< of the words called listed; nothing if none is
    std::optional<Share> recall{};  ///< of the listed words of the text; nothing if there are none
};

/// called  of each token, the probability that the attacker says that its word is listed
[[nodiscard]] ListDecisions judgeDecisions(const ReplacedTokens& tokens,
                                           std::span<const Row> listed,
                                           std::span<const float> called);

/// The question whether a word is one of a list, such as illnesses. Derivation: reconstruction.md
struct ListAttack {
    double priorProbability = 0.0;  ///< p, that a word is listed, by the prior
    /// Over all outputs of one release, where the probabilities are a formula.
    std::optional<double> largestPosterior{};
    /// Of the attacker who says yes where the posterior probability is at least 1/2; where only
    /// draws are known, of the learned attacker.
    ListDecisions decisions{};
    /// L, the largest loss that the guarantee admits between a listed and another word in all
    /// releases; nothing where nothing is guaranteed.
    std::optional<double> loss{};
    /// p e^L / (1 - p + p e^L), which no posterior can exceed.
    std::optional<double> posteriorBound{};

    /// Above this loss the bound says nothing.
    static constexpr double kLargestUsefulLoss = 20.0;
};

/// Largest distance between a listed and another word, rounded up; nothing without either. Fails
/// with cancelled.
[[nodiscard]] Result<std::optional<double>> distanceFromList(const engine::MetricSpace& space,
                                                             std::span<const Row> listed,
                                                             int threads,
                                                             const JobContext& job = {});

/// What follows from prior and guarantee, before any decision.
///
/// guarantee  of one release
/// distance   of distanceFromList
/// releases   K >= 1 of the same text, whose losses add up
[[nodiscard]] ListAttack boundListAttack(const VectorD& prior, std::span<const Row> listed,
                                         const mechanism::Guarantee& guarantee, double distance,
                                         int releases);

/// p e^L / (1 - p + p e^L)
///
/// probability  p in [0, 1];  loss  L >= 0, may be infinite
[[nodiscard]] double posteriorBound(double probability, double loss);

/// Posterior probability that a word is listed.
///
/// scores   ln of prior times likelihood of each of V words, up to a constant
/// largest  of the scores
/// listed   none twice
[[nodiscard]] double listedPosterior(std::span<const float> scores, float largest,
                                     std::span<const Row> listed);

}  // namespace epsilens::experiment
