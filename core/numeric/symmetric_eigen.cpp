#include "core/numeric/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace epsilens::numeric {

SymmetricEigen symmetricEigen(const Eigen::MatrixXd& lower) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(lower);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace epsilens::numeric
