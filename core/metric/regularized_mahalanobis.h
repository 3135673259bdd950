#pragma once

#include <array>
#include <memory>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/embedding/pca_basis.h"

namespace epsilens::metric {

/// The regularized Mahalanobis metric ||x||_RM = sqrt(x^T A^{-1} x), A = lambda Sigma +
/// (1 - lambda) I, Sigma the covariance of the vocabulary scaled to trace m; Euclidean at lambda 0.
/// Source: Xu et al. 2020, section 4
class RegularizedMahalanobis {
public:
    /// lambda  in [0, 1]
    /// Fails with invalidArgument outside the range, and with unsupported if lambda is above the
    /// largest that the covariance admits (the message names it) or if all vectors are equal.
    [[nodiscard]] static Result<RegularizedMahalanobis> create(
        std::shared_ptr<const embedding::PcaBasis> basis, double lambda);
    /// Lambda 0; does not need the covariance of the vectors.
    [[nodiscard]] static RegularizedMahalanobis euclidean(
        std::shared_ptr<const embedding::PcaBasis> basis);

    [[nodiscard]] double lambda() const { return m_lambda; }
    [[nodiscard]] const embedding::PcaBasis& basis() const { return *m_basis; }
    /// Square roots of the eigenvalues of A, sqrt(lambda xi_k + 1 - lambda), m entries.
    [[nodiscard]] const VectorD& axisScales() const { return m_scales; }

    /// ||a - b||_RM of two points of R^m, in float64.
    [[nodiscard]] double distance(const VectorD& a, const VectorD& b) const;
    /// The f, g with f ||x||_2 <= ||x||_RM <= g ||x||_2 for all x, both attained.
    /// Source: Xu et al. 2020, Lemma 3, with the true extreme eigenvalues
    [[nodiscard]] std::array<double, 2> euclideanFactors() const;

private:
    RegularizedMahalanobis(std::shared_ptr<const embedding::PcaBasis> basis, double lambda);

    std::shared_ptr<const embedding::PcaBasis> m_basis;
    double m_lambda;
    VectorD m_scales;
};

/// Largest lambda, in steps of 0.01, that the covariance admits: 1, or 0.99 if it is singular.
[[nodiscard]] double largestUsableLambda(const embedding::PcaBasis& basis);

}  // namespace epsilens::metric
