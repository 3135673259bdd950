#include "tests/support/poincare_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace epsilens::test {
namespace {

LongVector rowOf(const RowMatrixF& vectors, Eigen::Index row) {
    return vectors.row(row).transpose().cast<long double>();
}

// Distance to a point, or, where even 80 bits put it on the edge of the ball, what orders words by
// it: the factor 1 - ||v||^2 is common to all of them.
long double orderOf(const LongVector& u, const LongVector& point) {
    constexpr long double kEdge = 1e-15L;
    if (1.0L - point.squaredNorm() > kEdge) {
        return textbookDistance(u, point);
    }
    return (u - point).squaredNorm() / (1.0L - u.squaredNorm());
}

}  // namespace

long double textbookDistance(const LongVector& u, const LongVector& v) {
    return std::acosh(1.0L + 2.0L * (u - v).squaredNorm() /
                                 ((1.0L - u.squaredNorm()) * (1.0L - v.squaredNorm())));
}

LongVector textbookNoisyPoint(const LongVector& word, const LongVector& direction, double radius) {
    const LongVector step = std::tanh(0.5L * radius) * direction;
    const long double product = word.dot(step);
    const long double w = word.squaredNorm();
    const long double x = step.squaredNorm();
    return ((1.0L + 2.0L * product + x) * word + (1.0L - w) * step) /
           (1.0L + 2.0L * product + w * x);
}

Row bruteForcePoincareNearest(const RowMatrixF& vectors, Row word, const VectorD& direction,
                              double radius) {
    const LongVector point =
        textbookNoisyPoint(rowOf(vectors, word), direction.cast<long double>(), radius);
    Row nearest = 0;
    long double least = std::numeric_limits<long double>::infinity();
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        const long double distance = orderOf(rowOf(vectors, row), point);
        if (distance < least) {
            least = distance;
            nearest = static_cast<Row>(row);
        }
    }
    return nearest;
}

std::vector<Row> bruteForcePoincareNeighbours(const RowMatrixF& vectors, Row word, int count) {
    std::vector<Row> rows(static_cast<std::size_t>(vectors.rows()));
    std::vector<long double> distances;
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        distances.push_back(textbookDistance(rowOf(vectors, row), rowOf(vectors, word)));
    }
    std::iota(rows.begin(), rows.end(), 0);
    std::erase(rows, word);
    std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) {
        return distances[static_cast<std::size_t>(a)] < distances[static_cast<std::size_t>(b)];
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(count)));
    return rows;
}

}  // namespace epsilens::test
