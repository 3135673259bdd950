#include "core/mechanism/elliptical_noise.h"

#include "core/numeric/matrix_product.h"

namespace epsilens::mechanism {

Result<EllipticalNoise> EllipticalNoise::create(std::shared_ptr<const embedding::PcaBasis> basis,
                                                double lambda) {
    return metric::RegularizedMahalanobis::create(std::move(basis), lambda)
        .map([](metric::RegularizedMahalanobis&& metric) {
            return EllipticalNoise(std::move(metric));
        });
}

EllipticalNoise EllipticalNoise::spherical(std::shared_ptr<const embedding::PcaBasis> basis) {
    return EllipticalNoise(metric::RegularizedMahalanobis::euclidean(std::move(basis)));
}

RowMatrixD EllipticalNoise::shape(const RowMatrixD& directions) const {
    if (lambda() == 0.0) {
        return directions;
    }
    const Eigen::Index m = dimensions();
    RowMatrixD inAxes(directions.rows(), m);
    numeric::multiply(directions.data(), directions.rows(), basis().axes.data(), m, m,
                      inAxes.data());
    inAxes.array().rowwise() *= axisScales().transpose().array();
    RowMatrixD shaped(directions.rows(), m);
    numeric::multiplyTransposed(inAxes.data(), inAxes.rows(), basis().axes.data(), m, m, 1.0,
                                shaped.data(), m);
    return shaped;
}

Guarantee EllipticalNoise::guarantee(double epsilon) const {
    if (lambda() == 0.0) {
        return guaranteeOf({}, Metric::euclidean, epsilon);
    }
    Guarantee result = guaranteeOf({.lambda = lambda()}, Metric::mahalanobis, epsilon);
    const std::array<double, 2> factors = m_metric.euclideanFactors();
    result.euclidean = {epsilon * factors[0], epsilon * factors[1]};
    return result;
}

}  // namespace epsilens::mechanism
