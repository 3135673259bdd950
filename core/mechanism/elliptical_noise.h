#pragma once

#include <memory>
#include <utility>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/embedding/pca_basis.h"
#include "core/mechanism/guarantee.h"
#include "core/metric/regularized_mahalanobis.h"

namespace epsilens::mechanism {

using metric::largestUsableLambda;

/// Noise of the multivariate Laplace (lambda = 0) and the regularized Mahalanobis mechanism:
///   Z = (Y / epsilon) A^{1/2} X,   A = lambda Sigma + (1 - lambda) I,
/// X uniform on the unit sphere of R^m, Y ~ Gamma(shape m, scale 1). The output is the word nearest
/// to phi(w) + Z in Euclidean distance; the guarantee holds for ||x||_RM = sqrt(x^T A^{-1} x).
/// Source: Feyisetan et al. 2020; Xu et al. 2020, Algorithms 1 and 2. Derivation:
/// elliptical_noise.md
class EllipticalNoise {
public:
    /// Of the regularized Mahalanobis mechanism; fails as RegularizedMahalanobis::create does.
    [[nodiscard]] static Result<EllipticalNoise> create(
        std::shared_ptr<const embedding::PcaBasis> basis, double lambda);
    /// Of the multivariate Laplace mechanism: the same at lambda 0, on any vectors.
    [[nodiscard]] static EllipticalNoise spherical(
        std::shared_ptr<const embedding::PcaBasis> basis);

    [[nodiscard]] double lambda() const { return m_metric.lambda(); }
    [[nodiscard]] Eigen::Index dimensions() const { return axisScales().size(); }
    [[nodiscard]] const embedding::PcaBasis& basis() const { return m_metric.basis(); }
    /// Standard-deviation ratio along each principal axis, sqrt(lambda xi_k + 1 - lambda), m
    /// entries.
    [[nodiscard]] const VectorD& axisScales() const { return m_metric.axisScales(); }

    /// A^{1/2} applied to each row of directions (n x m), in the original coordinates.
    [[nodiscard]] RowMatrixD shape(const RowMatrixD& directions) const;
    /// Distance of the guarantee between two points of R^m.
    [[nodiscard]] double distance(const VectorD& a, const VectorD& b) const {
        return m_metric.distance(a, b);
    }
    /// epsilon  finite, > 0, per unit of the metric
    [[nodiscard]] Guarantee guarantee(double epsilon) const;

private:
    explicit EllipticalNoise(metric::RegularizedMahalanobis metric) : m_metric(std::move(metric)) {}

    metric::RegularizedMahalanobis m_metric;
};

}  // namespace epsilens::mechanism
