#pragma once

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::embedding {

/// Principal axes of a vocabulary: Sigma = Q diag(xi) Q^T, the sample covariance (divisor V-1) of
/// all rows scaled to trace m [X20, Algorithm 1].
struct PcaBasis {
    VectorD mean{};            ///< m, of all rows
    RowMatrixD axes{};         ///< Q, m x m; column k is the k-th axis, eigenvalues falling
    VectorD spectrum{};        ///< xi, m, falling, none negative, sum m; zero when trace is 0
    double totalVariance = 0;  ///< trace of the unscaled covariance

    [[nodiscard]] Eigen::Index dimensions() const { return mean.size(); }
    /// Eigenvalues above 1e-10 of the largest.
    [[nodiscard]] Eigen::Index rank() const;
    /// Part of the variance along axis k, in [0, 1].
    [[nodiscard]] double varianceShare(Eigen::Index axis) const;
};

/// vectors  V x m, V >= 1
/// Fails with cancelled.
[[nodiscard]] Result<PcaBasis> pcaBasis(const RowMatrixF& vectors, int threads = 0,
                                        const JobContext& job = {});

/// Coordinates of rows on all axes, centred: Q^T (row - mean), formed in float64 and rounded to
/// float32, (rows) x m.
[[nodiscard]] RowMatrixF principalCoordinates(const PcaBasis& basis, const RowMatrixF& vectors,
                                              int threads = 0);

}  // namespace epsilens::embedding
