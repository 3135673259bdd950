#include "core/engine/distance_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/engine/exact_scores.h"

namespace epsilens::engine {
namespace {

using metric::Metric;

// Squares below this many times their error are formed again.
constexpr double kErrorsToRefine = 64.0;
// Change of the slope of the angle, as a function of the squared chord, within an error of that.
constexpr double kSlopeReserve = 1.25;
// What rounding the table costs rows of outlying norm, beside the relative rounding of any
// distance.
constexpr double kOutlyingTableErrors = 3.0;

}  // namespace

DistanceError::DistanceError(const MetricSpace& space, Row word)
    : m_metric(space.metric().metric()) {
    const Eigen::Index m = space.table().cols();
    const double norm = space.norm(word);
    switch (m_metric) {
        case Metric::euclidean:
            m_squareError = squaredDistanceErrorBound(m, norm, space.largestRegularNorm());
            break;
        case Metric::mahalanobis:
            // Weighting rounds a row and its weights once more each: as two dimensions more.
            m_squareError = squaredDistanceErrorBound(m + 2, norm, space.largestRegularNorm());
            m_tableError = (space.outlyingRows().empty() ? 1.0 : kOutlyingTableErrors) *
                           kFloatRoundoff * (norm + space.largestRegularNorm());
            break;
        case Metric::angular:
            m_squareError = squaredChordErrorBound(m, 1.0 / norm, space.largestInverseNorm());
            break;
        case Metric::poincare:
            m_tableError =
                (static_cast<double>(m) + 8.0) * 2.0 * kDoubleRoundoff / space.leastPoincareGap();
            break;
    }
}

double DistanceError::squareOf(double distance) const {
    if (m_metric != Metric::angular) {
        return distance * distance;
    }
    const double halfChord = std::sin(0.5 * std::min(distance, std::numbers::pi));
    return 4.0 * halfChord * halfChord;
}

double DistanceError::distanceOf(double square) const {
    if (m_metric != Metric::angular) {
        return std::sqrt(square);
    }
    return 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(square)));
}

float DistanceError::reach(float value) const {
    const double exact = static_cast<double>(value);
    const double farthest = m_squareError > 0.0 && std::isfinite(value)
                                ? distanceOf(squareOf(exact) + 2.0 * m_squareError)
                                : exact;
    return std::nextafter(
        static_cast<float>((farthest + 2.0 * m_tableError) * (1.0 + 4.0 * kDistanceRounding)),
        std::numeric_limits<float>::infinity());
}

double DistanceError::refineBelow() const {
    return distanceOf(kErrorsToRefine * m_squareError);
}

float DistanceError::refineUpTo(float value) const {
    return std::max(reach(value), static_cast<float>(refineBelow()));
}

double DistanceError::refineAbove() const {
    return m_metric == Metric::angular ? std::numbers::pi - refineBelow()
                                       : std::numeric_limits<double>::infinity();
}

double DistanceError::ofProducts(double least, double largest) const {
    if (m_squareError == 0.0) {
        return m_tableError;
    }
    if (m_metric != Metric::angular) {
        return m_tableError + m_squareError / least;
    }
    return kSlopeReserve * 0.5 * m_squareError / std::min(std::sin(least), std::sin(largest));
}

}  // namespace epsilens::engine
