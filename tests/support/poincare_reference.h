#pragma once

#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"
#include "core/mechanism/hyperbolic_noise.h"

namespace epsilens::test {

using embedding::Row;

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
