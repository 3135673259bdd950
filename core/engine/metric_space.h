#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_kernel.h"
#include "core/metric/word_metric.h"

namespace epsilens::engine {

using embedding::Row;

/// A whole vocabulary, including duplicates, prepared so that one matrix product gives the
/// distances of some words to all others (Poincaré: float64 by the ratio form). In the order of the
/// rows, padded to whole tiles. Immutable; tasks share it and read it through MetricRows.
///
///   Euclidean, angular  products of the vectors themselves
///   Mahalanobis         products of centred principal coordinates y, weighted with 1 / (eigenvalue
///                       of A): one table serves every lambda
class MetricSpace {
public:
    /// Fails with unsupported if the longest vector is too long or too short for float32 products.
    [[nodiscard]] static Result<MetricSpace> create(metric::WordMetric metric, int threads = 0);
    /// The Mahalanobis metric at another lambda; shares the table. Fails as
    /// RegularizedMahalanobis::create.
    [[nodiscard]] Result<MetricSpace> withLambda(double lambda) const;

    [[nodiscard]] const metric::WordMetric& metric() const { return m_metric; }
    [[nodiscard]] const embedding::PreparedEmbedding& embedding() const {
        return m_metric.embedding();
    }
    /// V, duplicates included.
    [[nodiscard]] Row wordCount() const { return embedding().wordCount(); }
    /// wordCount() rounded up to whole tiles; the length of a row of distances.
    [[nodiscard]] std::int64_t paddedWords() const;

    /// d(a, b) in float64 from the table; exactly 0 for identical vectors.
    [[nodiscard]] double distance(Row a, Row b) const;

    /// Vectors whose products give distances, V x m.
    [[nodiscard]] const RowMatrixF& table() const { return *m_table; }
    /// Rows of some words, weighted: their products with the table give distances.
    [[nodiscard]] RowMatrixF productFactors(std::span<const Row> words) const;
    /// Norms of the table (weighted) and inverse norms of the vectors, with those of one word.
    [[nodiscard]] ProductRow productRow(Row word) const;
    [[nodiscard]] double norm(Row word) const;
    /// Rows whose norm in the table, weighted, is outlying, where distances are made of products
    /// and norms: MetricRows and TileBounds form their distances in float64. Rising in norm.
    [[nodiscard]] std::span<const Row> outlyingRows() const { return m_outlyingRows; }
    /// Of the other rows.
    [[nodiscard]] double largestRegularNorm() const { return m_largestRegularNorm; }
    [[nodiscard]] double largestInverseNorm() const { return m_largestInverseNorm; }
    /// Distances of a word to rows [first, first + count) in place of the products of its factors
    /// with these rows of the table; Poincaré distances are formed without. Behind the last one, up
    /// to whole tiles, stands kPaddingA.
    ///
    /// first     a multiple of kTileWidth
    /// products  aligned, whole tiles
    /// cosines   null, or as products: receives the cosines, where they are of the same products
    void finishDistances(Row word, std::int64_t first, std::int64_t count, float* products,
                         float* cosines) const;
    [[nodiscard]] double leastPoincareGap() const { return m_leastGap; }

private:
    explicit MetricSpace(metric::WordMetric metric) : m_metric(std::move(metric)) {}

    void shareVectors();
    void rotate(int threads);
    void weighAxes();
    void transpose();
    void setNorms();
    void setOutlyingRows();

    metric::WordMetric m_metric;
    std::shared_ptr<const RowMatrixF> m_table{};
    VectorD m_axisWeights{};
    VectorD m_norms{};               ///< of the table, weighted
    AlignedMatrix m_squaredNorms{};  ///< one row each
    AlignedMatrix m_inverseNorms{};
    double m_largestNorm = 0.0;  ///< of the table or the vectors
    std::vector<Row> m_outlyingRows{};
    double m_largestRegularNorm = 0.0;
    double m_largestInverseNorm = 0.0;
    std::vector<double> m_coordinates{};  ///< Poincaré: m x paddedWords()
    std::vector<double> m_gaps{};
    double m_leastGap = 1.0;
};

}  // namespace epsilens::engine
