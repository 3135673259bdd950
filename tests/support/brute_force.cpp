#include "tests/support/brute_force.h"

#include <algorithm>
#include <cmath>
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

std::vector<Row> bruteForceNearest(const RowMatrixF& vectors, const std::vector<Row>& words,
                                   const RowMatrixF& noise, const std::vector<double>& epsilons) {
    const RowMatrixD rows = vectors.cast<double>();
    const RowMatrixD projections = noise.cast<double>() * rows.transpose();
    std::vector<Row> nearest;
    for (const Row word : words) {
        const Eigen::RowVectorXd squared =
            (rows.rowwise() - rows.row(word)).rowwise().squaredNorm().transpose();
        for (Eigen::Index draw = 0; draw < noise.rows(); ++draw) {
            for (const double epsilon : epsilons) {
                Eigen::Index least = 0;
                (squared - 2.0 / epsilon * projections.row(draw)).minCoeff(&least);
                nearest.push_back(static_cast<Row>(least));
            }
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
    std::ranges::sort(rows, [&](Row a, Row b) {
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

std::vector<double> lawOf(const mechanism::TruncatedExponential& mechanism,
                          const std::vector<double>& distances) {
    std::vector<double> result;
    double total = 0.0;
    for (const double distance : distances) {
        result.push_back(std::exp(-mechanism.exponent(distance)));
        total += result.back();
    }
    for (double& value : result) {
        value /= total;
    }
    return result;
}

RowMatrixD channelMatrix(const metric::WordMetric& metric,
                         const mechanism::TruncatedExponential& mechanism) {
    const Row words = metric.embedding().wordCount();
    RowMatrixD channel(words, words);
    for (Row word = 0; word < words; ++word) {
        const auto law = lawOf(mechanism, distancesFrom(metric, word));
        channel.row(word) = Eigen::Map<const VectorD>(law.data(), words).transpose();
    }
    return channel;
}

Row drawFrom(const RowMatrixD& channel, Row word, SeededStream& stream) {
    double left = stream.uniform();
    Row output = 0;
    while (output + 1 < channel.cols() && left > channel(word, output)) {
        left -= channel(word, output++);
    }
    return output;
}

namespace {

LongVector rowOf(const RowMatrixF& vectors, Eigen::Index row) {
    return vectors.row(row).transpose().cast<long double>();
}

// What the textbook distance of words to a point rises with, also where even 80 bits put the point
// on the edge of the ball: the factor 1 - ||v||^2 is common to all words.
long double orderOf(const LongVector& u, const LongVector& point) {
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
    std::ranges::stable_sort(rows, [&](Row a, Row b) {
        return distances[static_cast<std::size_t>(a)] < distances[static_cast<std::size_t>(b)];
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(count)));
    return rows;
}

}  // namespace epsilens::test
