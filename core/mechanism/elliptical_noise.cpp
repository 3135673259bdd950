#include "core/mechanism/elliptical_noise.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/numeric/matrix_product.h"

namespace epsilens::mechanism {
namespace {

constexpr double kLambdaStep = 0.01;

bool isSingular(const embedding::PcaBasis& basis) {
    return basis.rank() < basis.dimensions();
}

}  // namespace

std::string_view kindName(Kind kind) {
    switch (kind) {
        case Kind::laplace:
            return "laplace";
        case Kind::mahalanobis:
            return "mahalanobis";
    }
    return {};
}

Result<Kind> parseKind(std::string_view name) {
    for (const Kind kind : {Kind::laplace, Kind::mahalanobis}) {
        if (name == kindName(kind)) {
            return kind;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("mechanism \"{}\" is unknown; allowed: laplace, mahalanobis", name));
}

double largestUsableLambda(const embedding::PcaBasis& basis) {
    return isSingular(basis) ? 1.0 - kLambdaStep : 1.0;
}

Result<EllipticalNoise> EllipticalNoise::create(std::shared_ptr<const embedding::PcaBasis> basis,
                                                double lambda) {
    if (!(lambda >= 0.0 && lambda <= 1.0)) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("λ = {} is outside its range, 0 to 1", lambda));
    }
    if (lambda > 0.0 && !(basis->totalVariance > 0.0)) {
        return fail(ErrorCode::unsupported,
                    fmt::format("λ = {} impossible: all vectors are equal, their covariance is 0; "
                                "only λ = 0 is usable",
                                lambda));
    }
    if (lambda == 1.0 && isSingular(*basis)) {
        return fail(ErrorCode::unsupported,
                    fmt::format("λ = 1 impossible: covariance singular (rank {} < {} dimensions). "
                                "Largest usable λ: {}",
                                basis->rank(), basis->dimensions(), largestUsableLambda(*basis)));
    }
    return EllipticalNoise(std::move(basis), lambda);
}

EllipticalNoise::EllipticalNoise(std::shared_ptr<const embedding::PcaBasis> basis, double lambda)
    : m_basis(std::move(basis)),
      m_lambda(lambda),
      m_scales((lambda * m_basis->spectrum.array() + (1.0 - lambda)).sqrt().matrix()) {}

RowMatrixD EllipticalNoise::shape(const RowMatrixD& directions) const {
    if (m_lambda == 0.0) {
        return directions;
    }
    const Eigen::Index m = dimensions();
    RowMatrixD inAxes(directions.rows(), m);
    numeric::multiply(directions.data(), directions.rows(), m_basis->axes.data(), m, m,
                      inAxes.data());
    inAxes.array().rowwise() *= m_scales.transpose().array();
    RowMatrixD shaped(directions.rows(), m);
    numeric::multiplyTransposed(inAxes.data(), inAxes.rows(), m_basis->axes.data(), m, m,
                                shaped.data());
    return shaped;
}

double EllipticalNoise::distance(const VectorD& a, const VectorD& b) const {
    const VectorD difference = a - b;
    if (m_lambda == 0.0) {
        return difference.norm();
    }
    const VectorD inAxes = m_basis->axes.transpose() * difference;
    return (inAxes.array() / m_scales.array()).matrix().norm();
}

Guarantee EllipticalNoise::guarantee(double epsilon) const {
    Guarantee result;
    result.epsilon = epsilon;
    result.lambda = m_lambda;
    result.bound = epsilon;
    if (m_lambda == 0.0) {
        result.metric = Metric::euclidean;
        result.statement = "ε·‖·‖₂";
        result.euclidean = {epsilon, epsilon};
        return result;
    }
    result.metric = Metric::mahalanobis;
    result.statement = "ε·‖·‖_RM";
    result.euclidean = {epsilon / m_scales.maxCoeff(), epsilon / m_scales.minCoeff()};
    return result;
}

}  // namespace epsilens::mechanism
