#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// Settings of a training; the defaults suit a hierarchy of some thousand nodes.
struct PoincareOptions {
    static constexpr int kMostDimensions = 1'000;
    static constexpr int kMostEpochs = 1'000'000;
    static constexpr int kMostNegatives = 1'000;
    static constexpr double kHighestRate = 10.0;

    int dimensions = 10;  ///< m, in [1, kMostDimensions]
    int epochs = 50;      ///< passes over the pairs after the burn-in, in [1, kMostEpochs]
    int negatives = 10;   ///< per pair, in [1, kMostNegatives]
    double rate = 0.3;    ///< learning rate, in (0, kHighestRate]
    int burnIn = 10;      ///< passes before at a tenth of the rate, in [0, kMostEpochs]
    std::uint64_t seed =
        1;            ///< the result is a function of the pairs, the seed and the above alone
    int threads = 0;  ///< 0: all
    std::uint64_t memoryLimit = 0;  ///< in bytes; 0: what the system and the control group leave
};

/// What is wrong with the options; nothing if they can be used.
[[nodiscard]] std::optional<Error> validate(const PoincareOptions& options);

/// A trained Poincaré embedding.
struct PoincareTraining {
    RowMatrixD vectors{};  ///< V x m, row r is node r; norms at most BallPoints::kLargestNorm
    /// Mean loss of a pair in every finished epoch, burn-in first, in nats.
    std::vector<double> losses{};
    int epochs = 0;              ///< finished ones after the burn-in
    bool partial = false;        ///< stopped: what options with these epochs would have given
    int matches = 1;             ///< matches of a round, which can run at the same time
    std::int64_t relations = 0;  ///< pairs trained, once per epoch
    double seconds = 0.0;

    [[nodiscard]] double finalLoss() const { return losses.back(); }
    [[nodiscard]] double relationsPerSecond() const;
};

/// Trains Poincaré vectors from is-a pairs by Riemannian stochastic gradient descent.
///
/// Each pair (u, v) is a step on -ln softmax(-d) over v and `negatives` nodes that the list does
/// not say u is. The negatives are drawn evenly; during the burn-in by the number of their pairs,
/// as the authors' program does. See RelationStep for the step, EpochSchedule for the order: the
/// negatives of a pair come from the two blocks of its match, dealt anew in every epoch.
/// Vectors do not depend on the number of threads. A stop request after the burn-in and at least
/// one epoch hands back the vectors of the last finished epoch.
/// Fails with invalidArgument, resourceLimit, or cancelled when stopped earlier.
/// Source: Nickel and Kiela 2017, Poincaré Embeddings for Learning Hierarchical Representations.
/// Derivation: poincare_training.md
[[nodiscard]] Result<PoincareTraining> trainPoincare(const IsAList& list,
                                                     const PoincareOptions& options,
                                                     const JobContext& job = {});

}  // namespace epsilens::training
