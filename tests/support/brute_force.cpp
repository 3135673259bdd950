#include "tests/support/brute_force.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace epsilens::test {

Row bruteForceNearest(const RowMatrixF& vectors, Row word, const VectorF& noise, double epsilon) {
    const VectorD point =
        vectors.row(word).cast<double>().transpose() + noise.cast<double>() / epsilon;
    Row nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        const double distance = (vectors.row(row).cast<double>().transpose() - point).norm();
        if (distance < least) {
            least = distance;
            nearest = static_cast<Row>(row);
        }
    }
    return nearest;
}

double bruteForceCriticalEpsilon(const RowMatrixF& vectors, Row word, const VectorF& noise) {
    double critical = 0.0;
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        const VectorD difference =
            (vectors.row(row).cast<double>() - vectors.row(word).cast<double>()).transpose();
        const double squared = difference.squaredNorm();
        if (squared > 0.0) {
            critical = std::max(critical, 2.0 * noise.cast<double>().dot(difference) / squared);
        }
    }
    return critical;
}

std::vector<Row> bruteForceNeighbours(const RowMatrixF& vectors, Row word, int count) {
    std::vector<Row> rows(static_cast<std::size_t>(vectors.rows()));
    std::iota(rows.begin(), rows.end(), 0);
    std::erase(rows, word);
    const auto distance = [&](Row row) {
        return (vectors.row(row).cast<double>() - vectors.row(word).cast<double>()).squaredNorm();
    };
    std::sort(rows.begin(), rows.end(), [&](Row a, Row b) {
        const double toA = distance(a);
        const double toB = distance(b);
        return toA != toB ? toA < toB : a < b;
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(count)));
    return rows;
}

std::vector<double> distancesFrom(const metric::WordMetric& metric, Row word) {
    std::vector<double> distances(static_cast<std::size_t>(metric.embedding().wordCount()));
    for (std::size_t other = 0; other < distances.size(); ++other) {
        distances[other] = metric.distance(word, static_cast<Row>(other));
    }
    return distances;
}

}  // namespace epsilens::test
