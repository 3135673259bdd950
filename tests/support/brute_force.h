#pragma once

#include <vector>

#include "core/base/eigen.h"
#include "core/base/random_stream.h"
#include "core/embedding/vocabulary.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"

namespace epsilens::test {

using embedding::Row;

/// The float64 reference that every fast path must agree with. One textbook loop each.

/// Row with the least ||phi(word) + noise / epsilon - phi(u)||, ties to the lowest row.
[[nodiscard]] Row bruteForceNearest(const RowMatrixF& vectors, Row word, const VectorF& noise,
                                    double epsilon);

/// The same for several words under several rows of noise at several epsilons, those of the first
/// word first, and of it those of the first noise: the least ||phi(u) - phi(w)||^2 -
/// 2 noise . phi(u) / epsilon.
[[nodiscard]] std::vector<Row> bruteForceNearest(const RowMatrixF& vectors,
                                                 const std::vector<Row>& words,
                                                 const RowMatrixF& noise,
                                                 const std::vector<double>& epsilons);

/// max(0, max over u with phi(u) != phi(w) of 2 noise . (phi(u) - phi(w)) / ||phi(u) - phi(w)||^2).
[[nodiscard]] double bruteForceCriticalEpsilon(const RowMatrixF& vectors, Row word,
                                               const VectorF& noise);

/// The `count` rows nearest to a word, without it, ties to lower rows.
[[nodiscard]] std::vector<Row> bruteForceNeighbours(const RowMatrixF& vectors, Row word, int count);

/// Distances of a word to all words, in float64.
[[nodiscard]] std::vector<double> distancesFrom(const metric::WordMetric& metric, Row word);

/// The law of TEM, and of the exponential mechanism, in float64: Pr[u | w] of every word u from its
/// distance to w.
[[nodiscard]] std::vector<double> lawOf(const mechanism::TruncatedExponential& mechanism,
                                        const std::vector<double>& distances);
/// Row w has that of w.
[[nodiscard]] RowMatrixD channelMatrix(const metric::WordMetric& metric,
                                       const mechanism::TruncatedExponential& mechanism);
/// An output of a word under a channel, by its inverse distribution function.
[[nodiscard]] Row drawFrom(const RowMatrixD& channel, Row word, SeededStream& stream);

/// The Poincaré ball by its textbook formulas, in 80-bit numbers: what every fast path must agree
/// with.
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// arcosh(1 + 2 ||u - v||^2 / ((1 - ||u||^2) (1 - ||v||^2)))
[[nodiscard]] long double textbookDistance(const LongVector& u, const LongVector& v);

/// w (+) tanh(r/2) xi by Möbius addition as it is published.
[[nodiscard]] LongVector textbookNoisyPoint(const LongVector& word, const LongVector& direction,
                                            double radius);

/// Row with the least textbook distance to the noisy point, ties to the lowest row.
[[nodiscard]] Row bruteForcePoincareNearest(const RowMatrixF& vectors, Row word,
                                            const VectorD& direction, double radius);

/// The `count` rows nearest to a word by textbook distance, without it, ties to lower rows.
[[nodiscard]] std::vector<Row> bruteForcePoincareNeighbours(const RowMatrixF& vectors, Row word,
                                                            int count);

}  // namespace epsilens::test
