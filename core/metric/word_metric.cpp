#include "core/metric/word_metric.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::metric {
namespace {

Result<void> checkRows(const embedding::PreparedEmbedding& embedding, Metric metric) {
    if (metric == Metric::angular) {
        if (const auto zero = (embedding.squaredNorms.array() == 0.0).count(); zero > 0) {
            return fail(ErrorCode::unsupported,
                        fmt::format("angular metric impossible: {} rows are zero, a zero vector "
                                    "has no direction",
                                    formatCount(zero)));
        }
    }
    if (metric == Metric::poincare) {
        if (const auto outside = rowsOutsideBall(embedding.vectors(), embedding.squaredNorms);
            outside > 0) {
            return fail(ErrorCode::unsupported,
                        fmt::format("Poincaré metric impossible: {} rows have norm ≥ 1",
                                    formatCount(outside)));
        }
    }
    return {};
}

}  // namespace

Result<WordMetric> WordMetric::create(embedding::EmbeddingHandle embedding, Metric metric,
                                      double lambda) {
    RETURN_IF_ERROR(checkRows(*embedding, metric));
    WordMetric result(std::move(embedding), metric);
    if (metric == Metric::mahalanobis) {
        ASSIGN_OR_RETURN(auto mahalanobis,
                         RegularizedMahalanobis::create(
                             {result.m_embedding, &result.m_embedding->basis}, lambda));
        result.m_mahalanobis = std::move(mahalanobis);
    }
    return result;
}

double WordMetric::distance(Row a, Row b) const {
    const VectorD x = m_embedding->vectors().row(a).cast<double>().transpose();
    const VectorD y = m_embedding->vectors().row(b).cast<double>().transpose();
    const double normX = std::sqrt(m_embedding->squaredNorms[a]);
    const double normY = std::sqrt(m_embedding->squaredNorms[b]);
    switch (m_metric) {
        case Metric::euclidean:
            return (x - y).norm();
        case Metric::mahalanobis:
            return m_mahalanobis->distance(x, y);
        case Metric::angular:
            return angularDistance((x / normX - y / normY).norm(), (x / normX + y / normY).norm());
        case Metric::poincare:
            return poincareDistance(m_embedding->vectors().row(a).data(),
                                    m_embedding->vectors().row(b).data(), x.size());
    }
    return 0.0;
}

}  // namespace epsilens::metric
