#pragma once

#include <cstdint>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// How well a Poincaré embedding reconstructs the pairs it was trained on.
struct Reconstruction {
    /// Mean over the pairs (u, v) of the rank of d(u, v) among the d(u, v') of all v' without a
    /// pair (u, v'); 1 is perfect.
    double meanRank = 0.0;
    /// Mean over the children u of the average precision of their parents in the order of d(u, .);
    /// 1 is perfect.
    double meanAveragePrecision = 0.0;
};

/// Ranks all nodes except the child itself by their Poincaré distance to each child. Ties count
/// against the embedding: a negative at the same distance as the parent ranks first.
///
/// vectors  V x m, row r is node r of the list, norms below 1
/// threads  0: all
/// Takes O(V m) operations per child. Fails with invalidArgument if the vectors do not belong to
/// the list or a norm is not below 1, and with cancelled.
/// Source: Nickel and Kiela 2017, section 4.1; average precision after Bordes et al. 2013 as there.
[[nodiscard]] Result<Reconstruction> reconstruct(const IsAList& list,
                                                 const Eigen::Ref<const RowMatrixD>& vectors,
                                                 int threads, const JobContext& job = {});

}  // namespace epsilens::training
