#pragma once

#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/metric/metric.h"
#include "core/metric/regularized_mahalanobis.h"

namespace epsilens::metric {

using embedding::Row;

/// Angle between two vectors in radian, in [0, pi], from their unit vectors a and b:
///   2 atan2(||a - b||, ||a + b||),
/// accurate for small angles and for angles near pi, where the arc cosine is not.
/// Source: Kahan 2006, "How futile are mindless assessments of roundoff", section 12
[[nodiscard]] inline double angularDistance(double differenceNorm, double sumNorm) {
    return 2.0 * std::atan2(differenceNorm, sumNorm);
}

/// A metric on the words of an embedding: d(w, u) of single pairs, in float64. engine::MetricSpace
/// computes whole rows of distances.
///
///   Euclidean    ||phi(w) - phi(u)||
///   Mahalanobis  ||phi(w) - phi(u)||_RM at lambda
///   angular      angle between phi(w) and phi(u) in radian, in [0, pi]; parallel words are at 0
///   Poincaré     arcosh(1 + 2 ||phi(w) - phi(u)||^2 / ((1 - ||phi(w)||^2)(1 - ||phi(u)||^2)))
class WordMetric {
public:
    /// lambda  for the Mahalanobis distance; ignored by the other metrics
    /// Fails with unsupported if rows do not admit the metric (angular: zero rows; Poincaré: norms
    /// of 1 or more; the message states their number), or as RegularizedMahalanobis::create.
    [[nodiscard]] static Result<WordMetric> create(embedding::EmbeddingHandle embedding,
                                                   Metric metric, double lambda = 0.0);

    [[nodiscard]] Metric metric() const { return m_metric; }
    /// 0 unless the metric is Mahalanobis.
    [[nodiscard]] double lambda() const { return m_mahalanobis ? m_mahalanobis->lambda() : 0.0; }
    [[nodiscard]] const embedding::PreparedEmbedding& embedding() const { return *m_embedding; }
    [[nodiscard]] const embedding::EmbeddingHandle& handle() const { return m_embedding; }
    /// Nothing unless the metric is Mahalanobis.
    [[nodiscard]] const std::optional<RegularizedMahalanobis>& mahalanobis() const {
        return m_mahalanobis;
    }

    /// d(a, b), exactly 0 for equal rows.
    [[nodiscard]] double distance(Row a, Row b) const;

private:
    WordMetric(embedding::EmbeddingHandle embedding, Metric metric)
        : m_embedding(std::move(embedding)), m_metric(metric) {}

    embedding::EmbeddingHandle m_embedding;
    Metric m_metric;
    std::optional<RegularizedMahalanobis> m_mahalanobis{};
};

}  // namespace epsilens::metric
