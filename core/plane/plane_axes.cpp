#include "core/plane/plane_axes.h"

#include "core/numeric/symmetric_eigen.h"

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
    for (const embedding::Row row : rows) {
        points.push_back(project(embedding.vectors().row(row).cast<double>().transpose()));
    }
    return points;
}

PlanePoint PlaneAxes::project(const VectorD& point) const {
    const VectorD shifted = point - origin;
    return {axes.col(0).dot(shifted), axes.col(1).dot(shifted)};
}

PlaneAxes principalPlane(const embedding::PreparedEmbedding& embedding) {
    const embedding::PcaBasis& basis = embedding.basis;
    return {false,
            false,
            basis.mean,
            basis.axes.leftCols<2>(),
            {basis.varianceShare(0), basis.varianceShare(1)}};
}

PlaneAxes diskPlane(const embedding::PreparedEmbedding& embedding) {
    const auto dimensions = embedding.dimensions();
    PlaneAxes plane{true, dimensions == 2, VectorD::Zero(dimensions)};
    const RowMatrixD moment = secondMoment(embedding);
    if (plane.isWhole) {
        plane.axes = RowMatrixD::Identity(2, 2);
    } else {
        // Values rise.
        plane.axes = numeric::symmetricEigen(moment).vectors.rightCols<2>().rowwise().reverse();
    }
    const RowMatrixD within = plane.axes.transpose() * moment * plane.axes;
    plane.shares = {within(0, 0) / moment.trace(), within(1, 1) / moment.trace()};
    return plane;
}

}  // namespace epsilens::plane
