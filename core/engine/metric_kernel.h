#pragma once

#include <cstdint>

namespace epsilens::engine {

/// Data that turn the products w.u of one word with all vectors into distances.
struct ProductRow {
    const float* squaredNorms = nullptr;  ///< squared norms of all vectors; aligned, whole tiles
    const float* inverseNorms = nullptr;  ///< 1 / norm, 0 for zero vectors; aligned, whole tiles
    float wordSquaredNorm = 0.0F;
    float wordInverseNorm = 0.0F;
    std::int64_t count = 0;  ///< vectors; the last tile may end with any finite values
};

/// Replaces products[u] by sqrt(max(0, ||w||^2 + ||u||^2 - 2 w.u)). If `cosines` (aligned, whole
/// tiles) is not null, it receives w.u / (||w|| ||u||), clamped to [-1, 1], from the same products.
void productsToEuclidean(const ProductRow& row, float* products, float* cosines);

/// Replaces products[u] by the angle between w and u: 2 arcsin(c / 2) from the chord c of their
/// unit vectors, or pi - 2 arcsin(s / 2) from the complementary chord s = sqrt(4 - c^2) if that is
/// smaller. The arc sine is well conditioned for both. cosines as above.
void productsToAngles(const ProductRow& row, float* products, float* cosines);

/// Replaces products[u] by w.u / (||w|| ||u||), clamped to [-1, 1]; 0 for zero vectors.
void productsToCosines(const ProductRow& row, float* products);

/// Vectors of a Poincaré table, stored by coordinate.
struct PoincareTable {
    const double* coordinates = nullptr;  ///< m x stride: coordinate k of all vectors in row k
    const double* gaps = nullptr;         ///< 1 - ||u||^2, > 0
    std::int64_t dimensions = 0;
    std::int64_t stride = 0;  ///< from one coordinate to the next
    std::int64_t count = 0;   ///< of the vectors; those after them, up to whole tiles, are any
};

/// Poincaré distances of one vector to all vectors of the table, computed in float64 by the ratio
/// form (see metric::poincareDistance) and rounded to float32 at the end.
///
/// word       its m coordinates
/// distances  aligned, whole tiles
void poincareDistances(const PoincareTable& table, const double* word, double wordGap,
                       float* distances);

/// ||a - b||^2 in float64, for any alignment.
[[nodiscard]] double squaredDistance(const float* a, const float* b, std::int64_t dimensions);

/// sum_k (scaleA a_k - scaleB b_k)^2 in float64.
[[nodiscard]] double scaledSquaredDifference(const float* a, double scaleA, const float* b,
                                             double scaleB, std::int64_t dimensions);

/// sum_k weights_k (a_k - b_k)^2 in float64.
[[nodiscard]] double weightedSquaredDifference(const float* a, const float* b,
                                               const double* weights, std::int64_t dimensions);

}  // namespace epsilens::engine
