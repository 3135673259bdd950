#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/prepared_embedding.h"
#include "core/plane/plane_noise.h"

namespace epsilens::plane {

/// The plane that words are shown in.
///
///   principal  the first two principal axes, centred on the mean
///   disk       of the Poincaré ball: the plane through the origin that holds most of the mean
///              squared norm; with two dimensions the disk itself
struct PlaneAxes {
    bool isDisk = false;
    bool isWhole = false;            ///< nothing is projected away: a disk of two dimensions
    VectorD origin{};                ///< m, what the plane's origin shows
    RowMatrixD axes{};               ///< m x 2, orthonormal columns
    std::array<double, 2> shares{};  ///< of the variance (principal), of the mean ||x||^2 (disk)

    [[nodiscard]] std::vector<PlanePoint> project(const embedding::PreparedEmbedding& embedding,
                                                  std::span<const embedding::Row> rows) const;
    [[nodiscard]] PlanePoint project(const VectorD& point) const;
};

/// embedding  of m >= 2 dimensions
[[nodiscard]] PlaneAxes principalPlane(const embedding::PreparedEmbedding& embedding);
[[nodiscard]] PlaneAxes diskPlane(const embedding::PreparedEmbedding& embedding);

}  // namespace epsilens::plane
