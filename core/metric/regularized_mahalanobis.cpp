#include "core/metric/regularized_mahalanobis.h"

#include <utility>

#include <fmt/format.h>

namespace epsilens::metric {
namespace {

constexpr double kLambdaStep = 0.01;

}  // namespace

double largestUsableLambda(const embedding::PcaBasis& basis) {
    return basis.rank() < basis.dimensions() ? 1.0 - kLambdaStep : 1.0;
}

Result<RegularizedMahalanobis> RegularizedMahalanobis::create(
    std::shared_ptr<const embedding::PcaBasis> basis, double lambda) {
    if (!(lambda >= 0.0 && lambda <= 1.0)) {
        return refuse(fmt::format("λ = {} is outside its range, 0 to 1", lambda));
    }
    if (!(basis->totalVariance > 0.0)) {
        return fail(ErrorCode::unsupported,
                    fmt::format("λ = {} impossible: all vectors are equal, their covariance is 0; "
                                "only the Laplace mechanism needs none",
                                lambda));
    }
    if (lambda > largestUsableLambda(*basis)) {
        return fail(
            ErrorCode::unsupported,
            fmt::format("λ = {} impossible: covariance singular (rank {} < {} dimensions). "
                        "Largest usable λ: {}",
                        lambda, basis->rank(), basis->dimensions(), largestUsableLambda(*basis)));
    }
    return RegularizedMahalanobis(std::move(basis), lambda);
}

RegularizedMahalanobis RegularizedMahalanobis::euclidean(
    std::shared_ptr<const embedding::PcaBasis> basis) {
    return {std::move(basis), 0.0};
}

RegularizedMahalanobis::RegularizedMahalanobis(std::shared_ptr<const embedding::PcaBasis> basis,
                                               double lambda)
    : m_basis(std::move(basis)),
      m_lambda(lambda),
      m_scales((lambda * m_basis->spectrum.array() + (1.0 - lambda)).sqrt().matrix()) {}

double RegularizedMahalanobis::distance(const VectorD& a, const VectorD& b) const {
    const VectorD difference = a - b;
    if (m_lambda == 0.0) {
        return difference.norm();
    }
    const VectorD inAxes = m_basis->axes.transpose() * difference;
    return (inAxes.array() / m_scales.array()).matrix().norm();
}

std::array<double, 2> RegularizedMahalanobis::euclideanFactors() const {
    return {1.0 / m_scales.maxCoeff(), 1.0 / m_scales.minCoeff()};
}

}  // namespace epsilens::metric
