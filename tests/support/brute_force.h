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

/// The same for several epsilons from one look at every row: the least ||phi(u) - phi(w)||^2 -
/// 2 noise . (phi(u) - phi(w)) / epsilon.
[[nodiscard]] std::vector<Row> bruteForceNearest(const RowMatrixF& vectors, Row word,
                                                 const VectorF& noise,
                                                 const std::vector<double>& epsilons);

/// max(0, max over u with phi(u) != phi(w) of 2 noise . (phi(u) - phi(w)) / ||phi(u) - phi(w)||^2).
[[nodiscard]] double bruteForceCriticalEpsilon(const RowMatrixF& vectors, Row word,
                                               const VectorF& noise);

/// The `count` rows nearest to a word, without it, ties to lower rows.
[[nodiscard]] std::vector<Row> bruteForceNeighbours(const RowMatrixF& vectors, Row word, int count);

/// Distances of a word to all words, in float64.
[[nodiscard]] std::vector<double> distancesFrom(const metric::WordMetric& metric, Row word);

/// The law of TEM, and of the exponential mechanism, in float64: row w has Pr[u | w] of every word
/// u.
[[nodiscard]] RowMatrixD channelMatrix(const metric::WordMetric& metric,
                                       const mechanism::TruncatedExponential& mechanism);
/// An output of a word under a channel, by its inverse distribution function.
[[nodiscard]] Row drawFrom(const RowMatrixD& channel, Row word, SeededStream& stream);

}  // namespace epsilens::test
