#pragma once

#include <cstdint>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// Settings of a training; the defaults suit a hierarchy of a few thousand nodes.
struct PoincareOptions {
    static constexpr int kMostDimensions = 1'000;
    static constexpr int kMostEpochs = 1'000'000;
    static constexpr int kMostNegatives = 1'000;
    static constexpr double kHighestRate = 10.0;

    int dimensions = 10;  ///< m, in [1, kMostDimensions]
    int epochs = 50;      ///< passes over the pairs after the burn-in, in [1, kMostEpochs]
    int negatives = 10;   ///< per pair, in [1, kMostNegatives]
    double rate = 0.3;    ///< learning rate, in (0, kHighestRate]
    int burnIn = 10;      ///< initial passes at a tenth of the rate, in [0, kMostEpochs]
    std::uint64_t seed =
        1;            ///< the result depends only on the pairs, the seed and the fields above
    int threads = 0;  ///< 0: all
    std::uint64_t memoryLimit = 0;  ///< in bytes; 0: what system and control group leave
};

/// A trained Poincaré embedding.
struct PoincareTraining {
    RowMatrixD vectors{};  ///< V x m, row r is node r; norms at most BallPoints::kLargestNorm
    /// Mean loss per pair in nats, for every finished epoch, burn-in first.
    std::vector<double> losses{};
    int epochs = 0;              ///< finished epochs after the burn-in
    bool partial = false;        ///< stopped early; the same as with `epochs` epochs
    int matches = 1;             ///< matches per round, which can run at the same time
    std::int64_t relations = 0;  ///< number of trained pairs, counted once per epoch
    double seconds = 0.0;

    [[nodiscard]] double finalLoss() const { return losses.back(); }
    [[nodiscard]] double relationsPerSecond() const;
};

/// Trains Poincaré vectors from is-a pairs by Riemannian stochastic gradient descent.
///
/// Each pair (u, v) is one step on -ln softmax(-d) over v and `negatives` nodes v' without a pair
/// (u, v'). Negatives are drawn uniformly; during the burn-in with a probability proportional to
/// the number of their pairs, as in the authors' program. They come from the two blocks of the
/// match of the pair, which change in every epoch. See RelationStep for the step and EpochSchedule
/// for the order. The vectors do not depend on the number of threads. After the burn-in and at
/// least one epoch, a stop request returns the vectors of the last finished epoch.
/// Fails with invalidArgument, resourceLimit, or cancelled if stopped earlier.
/// Source: Nickel and Kiela 2017, Poincaré Embeddings for Learning Hierarchical Representations.
/// Derivation: poincare_training.md
[[nodiscard]] Result<PoincareTraining> trainPoincare(const IsAList& list,
                                                     const PoincareOptions& options,
                                                     const JobContext& job = {});

}  // namespace epsilens::training
