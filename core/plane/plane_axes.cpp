#include "core/plane/plane_axes.h"

#include <Eigen/Eigenvalues>

namespace epsilens::plane {

namespace {

/// Mean of x xᵀ over all words, from the covariance and the mean that the principal axes hold.
RowMatrixD secondMoment(const embedding::PreparedEmbedding& embedding) {
    const embedding::PcaBasis& basis = embedding.basis;
    const auto words = static_cast<double>(embedding.wordCount());
    const double scale =
        basis.totalVariance / static_cast<double>(basis.dimensions()) * (words - 1.0) / words;
    const RowMatrixD covariance =
        basis.axes * (scale * basis.spectrum).asDiagonal() * basis.axes.transpose();
    return covariance + basis.mean * basis.mean.transpose();
}

}  // namespace

std::vector<PlanePoint> PlaneAxes::project(const embedding::PreparedEmbedding& embedding,
                                           std::span<const embedding::Row> rows) const {
    std::vector<PlanePoint> points;
    points.reserve(rows.size());
    for (const embedding::Row row : rows) {
        points.push_back(project(embedding.vectors().row(row).cast<double>().transpose()));
    }
    return points;
}

PlanePoint PlaneAxes::project(const VectorD& point) const {
    const VectorD shifted = point - origin;
    return {axes.col(0).dot(shifted), axes.col(1).dot(shifted)};
}

PlaneAxes principalPlane(const embedding::PreparedEmbedding& embedding, const AxisPair& axes) {
    const embedding::PcaBasis& basis = embedding.basis;
    PlaneAxes plane;
    plane.origin = basis.mean;
    plane.axes = basis.axes(Eigen::all, axes);
    plane.shares = {basis.varianceShare(axes[0]), basis.varianceShare(axes[1])};
    plane.spectrum = {basis.spectrum[axes[0]], basis.spectrum[axes[1]]};
    return plane;
}

Result<PlaneAxes> planeThrough(const embedding::PreparedEmbedding& embedding,
                               const std::array<embedding::Row, 3>& words) {
    // Shorter than this share of the larger side, a remainder is rounding.
    constexpr double kLeastAngle = 1e-6;
    const auto at = [&](embedding::Row row) -> VectorD {
        return embedding.vectors().row(row).cast<double>().transpose();
    };
    PlaneAxes plane;
    plane.origin = at(words[0]);
    const VectorD first = at(words[1]) - plane.origin;
    const VectorD second = at(words[2]) - plane.origin;
    const VectorD across = second - first * (first.dot(second) / first.squaredNorm());
    if (!(first.norm() > 0.0) || !(across.norm() > kLeastAngle * second.norm())) {
        return fail(ErrorCode::unsupported,
                    "the word and its two nearest words lie on a line, so that no plane goes "
                    "through them alone");
    }
    RowMatrixD side(first.size(), 2);
    side.col(0) = first.normalized();
    side.col(1) = across.normalized();
    const embedding::PcaBasis& basis = embedding.basis;
    const RowMatrixD inBasis = basis.axes.transpose() * side;
    const Eigen::Matrix2d shape = inBasis.transpose() * basis.spectrum.asDiagonal() * inBasis;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(shape);
    plane.axes.resize(first.size(), 2);
    for (Eigen::Index k = 0; k < 2; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        plane.axes.col(k) = side * solver.eigenvectors().col(1 - k);
        plane.spectrum[axis] = solver.eigenvalues()[1 - k];
        plane.shares[axis] = plane.spectrum[axis] / static_cast<double>(basis.dimensions());
    }
    return plane;
}

PlaneAxes diskPlane(const embedding::PreparedEmbedding& embedding) {
    const Eigen::Index dimensions = embedding.dimensions();
    PlaneAxes plane;
    plane.isDisk = true;
    plane.isWhole = dimensions == 2;
    plane.origin = VectorD::Zero(dimensions);
    const RowMatrixD moment = secondMoment(embedding);
    if (plane.isWhole) {
        plane.axes = RowMatrixD::Identity(2, 2);
        plane.shares = {moment(0, 0) / moment.trace(), moment(1, 1) / moment.trace()};
        return plane;
    }
    const Eigen::SelfAdjointEigenSolver<RowMatrixD> solver(moment);
    plane.axes.resize(dimensions, 2);
    for (Eigen::Index k = 0; k < 2; ++k) {
        plane.axes.col(k) = solver.eigenvectors().col(dimensions - 1 - k);
        plane.shares[static_cast<std::size_t>(k)] =
            solver.eigenvalues()[dimensions - 1 - k] / moment.trace();
    }
    return plane;
}

}  // namespace epsilens::plane
