#pragma once

#include "core/base/eigen.h"

namespace epsilens::numeric {

/// Decomposition A = Q diag(values) Q^T of a symmetric matrix. One source file has Eigen's solver,
/// which is long to compile.
struct SymmetricEigen {
    VectorD values{};           ///< rising
    Eigen::MatrixXd vectors{};  ///< Q: column k belongs to value k
};

/// lower  its lower triangle is that of A; the rest is not read
[[nodiscard]] SymmetricEigen symmetricEigen(const Eigen::MatrixXd& lower);

}  // namespace epsilens::numeric
