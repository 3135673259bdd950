#include "core/engine/metric_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/engine/exponential_kernel.h"
#include "core/engine/score_kernel.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::engine {
namespace {

// The longest vector may have these norms: products then neither overflow float32 nor vanish.
constexpr double kLeastLength = 0x1p-40;
constexpr double kLargestLength = 0x1p62;

}  // namespace

std::int64_t MetricSpace::paddedWords() const {
    return paddedRowLength(wordCount());
}

Result<MetricSpace> MetricSpace::create(metric::WordMetric metric, int threads) {
    MetricSpace space(std::move(metric));
    if (space.m_metric.mahalanobis()) {
        space.rotate(threads);
        space.weighAxes();
    } else {
        space.shareVectors();
    }
    if (space.m_metric.metric() == metric::Metric::poincare) {
        space.transpose();
    }
    space.setNorms();
    const double longest = space.m_largestNorm;
    if (longest > 0.0 && !(longest > kLeastLength && longest < kLargestLength)) {
        return fail(
            ErrorCode::unsupported,
            fmt::format("the longest vector has norm {:.3g}, distances in float32 need {:.1g} "
                        "to {:.1g}; multiply all vectors by one number",
                        longest, kLeastLength, kLargestLength));
    }
    return space;
}

Result<MetricSpace> MetricSpace::withLambda(double lambda) const {
    ASSIGN_OR_RETURN(auto metric, metric::WordMetric::create(m_metric.handle(),
                                                             metric::Metric::mahalanobis, lambda));
    MetricSpace space(std::move(metric));
    space.m_table = m_table;
    space.weighAxes();
    space.setNorms();
    return space;
}

void MetricSpace::shareVectors() {
    m_table = {m_metric.handle(), &m_metric.embedding().vectors()};
}

void MetricSpace::rotate(int threads) {
    auto coordinates = std::make_shared<RowMatrixF>(
        embedding::principalCoordinates(embedding().basis, embedding().vectors(), threads));
    // A matrix product may round equal rows differently; words with the same bits stay together.
    for (Row row = 0; row < wordCount(); ++row) {
        const Row first = embedding().duplicates.representative[static_cast<std::size_t>(row)];
        if (first != row) {
            coordinates->row(row) = coordinates->row(first);
        }
    }
    m_table = std::move(coordinates);
}

void MetricSpace::weighAxes() {
    m_axisWeights = m_metric.mahalanobis()->axisScales().array().square().inverse().matrix();
}

void MetricSpace::transpose() {
    const Eigen::Index m = embedding().dimensions();
    const auto stride = static_cast<std::size_t>(paddedWords());
    m_coordinates.assign(static_cast<std::size_t>(m) * stride, 0.0);
    m_gaps.assign(stride, 1.0);
    for (Row row = 0; row < wordCount(); ++row) {
        for (Eigen::Index k = 0; k < m; ++k) {
            m_coordinates[static_cast<std::size_t>(k) * stride + static_cast<std::size_t>(row)] =
                static_cast<double>(embedding().vectors()(row, k));
        }
        m_gaps[static_cast<std::size_t>(row)] =
            metric::ballGap(embedding().vectors().row(row).data(), embedding().dimensions());
    }
    m_leastGap = *std::ranges::min_element(m_gaps);
}

void MetricSpace::setNorms() {
    const std::int64_t padded = paddedWords();
    m_norms.resize(wordCount());
    m_squaredNorms = AlignedMatrix(1, padded);
    m_inverseNorms = AlignedMatrix(1, padded);
    std::fill(m_squaredNorms.row(0), m_squaredNorms.row(0) + padded, 0.0F);
    std::fill(m_inverseNorms.row(0), m_inverseNorms.row(0) + padded, 0.0F);
    constexpr double kMost = std::numeric_limits<float>::max();
    for (Row row = 0; row < wordCount(); ++row) {
        const double squared = embedding().squaredNorms[row];
        const double inTable =
            m_axisWeights.size() > 0
                ? (m_table->row(row).cast<double>().transpose().array().square() *
                   m_axisWeights.array())
                      .sum()
                : squared;
        const double inverse = squared > 0.0 ? std::min(kMost, 1.0 / std::sqrt(squared)) : 0.0;
        m_norms[row] = std::sqrt(inTable);
        m_squaredNorms.row(0)[row] = static_cast<float>(std::min(kMost, inTable));
        m_inverseNorms.row(0)[row] = static_cast<float>(inverse);
        m_largestInverseNorm = std::max(m_largestInverseNorm, inverse);
        m_largestNorm = std::max({m_largestNorm, m_norms[row], std::sqrt(squared)});
    }
    setOutlyingRows();
}

void MetricSpace::setOutlyingRows() {
    VectorD regular = m_norms;
    if (m_metric.metric() == metric::Metric::euclidean ||
        m_metric.metric() == metric::Metric::mahalanobis) {
        m_outlyingRows = embedding::outlyingNorms(m_norms.cwiseAbs2()).rows;
    }
    for (const Row row : m_outlyingRows) {
        regular[row] = 0.0;
    }
    m_largestRegularNorm = regular.maxCoeff();
}

RowMatrixF MetricSpace::productFactors(std::span<const Row> words) const {
    RowMatrixF factors = (*m_table)(words, Eigen::all);
    if (m_axisWeights.size() > 0) {
        factors.array().rowwise() *= m_axisWeights.cast<float>().transpose().array();
    }
    return factors;
}

ProductRow MetricSpace::productRow(Row word) const {
    return {m_squaredNorms.row(0), m_inverseNorms.row(0), m_squaredNorms.row(0)[word],
            m_inverseNorms.row(0)[word], wordCount()};
}

double MetricSpace::norm(Row word) const {
    return m_norms[word];
}

void MetricSpace::finishDistances(Row word, std::int64_t first, std::int64_t count, float* products,
                                  float* cosines) const {
    ProductRow row = productRow(word);
    row.squaredNorms += first;
    row.inverseNorms += first;
    row.count = count;
    switch (m_metric.metric()) {
        case metric::Metric::euclidean:
        case metric::Metric::mahalanobis:
            productsToEuclidean(row, products, cosines);
            break;
        case metric::Metric::angular:
            productsToAngles(row, products, cosines);
            break;
        case metric::Metric::poincare: {
            const VectorD point = embedding().vectors().row(word).cast<double>().transpose();
            poincareDistances({m_coordinates.data() + first, m_gaps.data() + first, point.size(),
                               paddedWords(), count},
                              point.data(), m_gaps[static_cast<std::size_t>(word)], products);
            break;
        }
    }
    std::fill(products + count, products + tileCount(count) * kTileWidth, kPaddingA<float>);
    for (const Row outlying : m_outlyingRows) {
        if (outlying >= first && outlying < first + count) {
            products[outlying - first] = static_cast<float>(distance(word, outlying));
        }
    }
}

double MetricSpace::distance(Row a, Row b) const {
    const auto& first = embedding().duplicates.representative;
    if (first[static_cast<std::size_t>(a)] == first[static_cast<std::size_t>(b)]) {
        return 0.0;
    }
    const std::int64_t m = m_table->cols();
    const float* x = m_table->row(a).data();
    const float* y = m_table->row(b).data();
    switch (m_metric.metric()) {
        case metric::Metric::euclidean:
            return std::sqrt(squaredDistance(x, y, m));
        case metric::Metric::mahalanobis:
            return std::sqrt(weightedSquaredDifference(x, y, m_axisWeights.data(), m));
        case metric::Metric::angular: {
            const double scaleX = 1.0 / m_norms[a];
            const double scaleY = 1.0 / m_norms[b];
            return metric::angularDistance(
                std::sqrt(scaledSquaredDifference(x, scaleX, y, scaleY, m)),
                std::sqrt(scaledSquaredDifference(x, scaleX, y, -scaleY, m)));
        }
        case metric::Metric::poincare:
            return m_metric.distance(a, b);
    }
    return 0.0;
}

}  // namespace epsilens::engine
