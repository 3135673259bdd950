#include "core/metric/poincare_distance.h"

#include <cmath>

namespace epsilens::metric {

double ballGap(const float* x, Eigen::Index dimensions) {
    // Squares of float32 numbers are exact in float64; what each subtraction loses is kept
    // (Knuth 1997, section 4.2.2, theorem B), because near the edge all digits cancel.
    double gap = 1.0;
    double lost = 0.0;
    for (Eigen::Index k = 0; k < dimensions; ++k) {
        const double term = -static_cast<double>(x[k]) * static_cast<double>(x[k]);
        const double sum = gap + term;
        const double termPart = sum - gap;
        lost += (gap - (sum - termPart)) + (term - termPart);
        gap = sum;
    }
    return gap + lost;
}

double distanceOfExcess(double excess) {
    return std::log1p(excess + std::sqrt(excess * (2.0 + excess)));
}

double poincareDistance(const float* a, const float* b, Eigen::Index dimensions) {
    double squared = 0.0;
    for (Eigen::Index k = 0; k < dimensions; ++k) {
        const double difference = static_cast<double>(a[k]) - static_cast<double>(b[k]);
        squared += difference * difference;
    }
    return distanceOfExcess(coshExcess(squared, ballGap(a, dimensions), ballGap(b, dimensions)));
}

std::int64_t rowsOutsideBall(const RowMatrixF& vectors, const VectorD& squaredNorms) {
    constexpr double kSure = 1e-9;  // more than a plain sum of squares is wrong by near 1
    std::int64_t outside = 0;
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        const double rough = 1.0 - squaredNorms[row];
        const double gap =
            std::abs(rough) > kSure ? rough : ballGap(vectors.row(row).data(), vectors.cols());
        outside += gap > 0.0 ? 0 : 1;
    }
    return outside;
}

}  // namespace epsilens::metric
