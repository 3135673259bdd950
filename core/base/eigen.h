#pragma once

#include <Eigen/Core>

namespace epsilens {

/// Word vectors and draws: one row per word or draw, rows contiguous.
using RowMatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using VectorF = Eigen::VectorXf;
using VectorD = Eigen::VectorXd;

}  // namespace epsilens
