#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/prepared_embedding.h"
#include "core/plane/plane_noise.h"

namespace epsilens::plane {

/// The plane in which words are shown.
///
///   principal  two principal axes, centred on the mean
///   words      through three words, centred on the first of them
///   disk       for the Poincaré ball: the plane through the origin with the largest share of the
///              mean squared norm; in two dimensions the disk itself
struct PlaneAxes {
    bool isDisk = false;
    bool isWhole = false;              ///< two dimensions: the disk shows everything
    VectorD origin{};                  ///< m, the point shown at the origin of the plane
    RowMatrixD axes{};                 ///< m x 2, orthonormal columns
    std::array<double, 2> shares{};    ///< of the variance, of a disk of the mean ||x||^2
    std::array<double, 2> spectrum{};  ///< eᵀ diag(xi) e of each axis e; 0 of a disk

    [[nodiscard]] std::vector<PlanePoint> project(const embedding::PreparedEmbedding& embedding,
                                                  std::span<const embedding::Row> rows) const;
    [[nodiscard]] PlanePoint project(const VectorD& point) const;
};

/// embedding  with m >= 2 dimensions
/// axes       below m
[[nodiscard]] PlaneAxes principalPlane(const embedding::PreparedEmbedding& embedding,
                                       const AxisPair& axes = kFirstAxes);
/// Its axes are those along which elliptical noise of any lambda is uncorrelated.
///
/// words  different ones
/// Fails with unsupported where the three lie on a line.
[[nodiscard]] Result<PlaneAxes> planeThrough(const embedding::PreparedEmbedding& embedding,
                                             const std::array<embedding::Row, 3>& words);
[[nodiscard]] PlaneAxes diskPlane(const embedding::PreparedEmbedding& embedding);

}  // namespace epsilens::plane
