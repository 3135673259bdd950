#include "core/release/fresh_noise.h"

#include <cmath>

#include <boost/random/normal_distribution.hpp>

#include "core/numeric/matrix_product.h"

namespace epsilens::release {

RowMatrixD freshDirections(Eigen::Index count, Eigen::Index dimensions,
                           OperatingSystemStream& stream) {
    boost::random::normal_distribution<double> normal;
    RowMatrixD directions(count, dimensions);
    for (Eigen::Index i = 0; i < count; ++i) {
        double norm = 0.0;
        while (!(norm > 0.0)) {
            for (Eigen::Index k = 0; k < dimensions; ++k) {
                directions(i, k) = normal(stream);
            }
            norm = directions.row(i).norm();
        }
        directions.row(i) /= norm;
    }
    return directions;
}

double freshGamma(Eigen::Index shape, OperatingSystemStream& stream) {
    // Logarithms of products, of as many factors as cannot underflow: each is at least 2^-128.
    constexpr double kSmallest = 0x1p-800;
    double sum = 0.0;
    double product = 1.0;
    for (Eigen::Index i = 0; i < shape; ++i) {
        product *= stream.uniform();
        if (product < kSmallest) {
            sum -= std::log(product);
            product = 1.0;
        }
    }
    return sum - std::log(product);
}

RowMatrixD freshNoise(const mechanism::EllipticalNoise& noise, Eigen::Index count,
                      OperatingSystemStream& stream) {
    const Eigen::Index m = noise.dimensions();
    RowMatrixD points = freshDirections(count, m, stream);
    for (Eigen::Index i = 0; i < count; ++i) {
        points.row(i) *= freshGamma(m, stream);
    }
    if (noise.lambda() == 0.0) {
        return points;
    }
    points.array().rowwise() *= noise.axisScales().transpose().array();
    RowMatrixD turned(count, m);
    numeric::multiplyTransposed(points.data(), count, noise.basis().axes.data(), m, m, 1.0,
                                turned.data(), m);
    return turned;
}

}  // namespace epsilens::release
