#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/prepared_embedding.h"

namespace epsilens::plane {

/// A point of the plane, in units of the embedding.
struct PlanePoint {
    double x = 0.0;
    double y = 0.0;
};

/// The plane in which words are shown.
///
///   principal  the first two principal axes, centred on the mean
///   disk       for the Poincaré ball: the plane through the origin with the largest share of the
///              mean squared norm; in two dimensions the disk itself
struct PlaneAxes {
    bool isDisk = false;
    bool isWhole = false;            ///< two dimensions: the disk shows everything
    VectorD origin{};                ///< m, the point shown at the origin of the plane
    RowMatrixD axes{};               ///< m x 2, orthonormal columns
    std::array<double, 2> shares{};  ///< of the variance, of a disk of the mean ||x||^2

    [[nodiscard]] std::vector<PlanePoint> project(const embedding::PreparedEmbedding& embedding,
                                                  std::span<const embedding::Row> rows) const;
    [[nodiscard]] PlanePoint project(const VectorD& point) const;
};

/// embedding  with m >= 2 dimensions
[[nodiscard]] PlaneAxes principalPlane(const embedding::PreparedEmbedding& embedding);
[[nodiscard]] PlaneAxes diskPlane(const embedding::PreparedEmbedding& embedding);

}  // namespace epsilens::plane
