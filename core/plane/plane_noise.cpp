#include "core/plane/plane_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/metric/poincare_distance.h"
#include "core/numeric/radial_laws.h"

namespace epsilens::plane {

PlaneNoise::PlaneNoise(const embedding::PcaBasis& basis, std::uint64_t seed, std::int64_t draws)
    : m_radii{numeric::planarRadiusQuantile(kShares[0], basis.dimensions()),
              numeric::planarRadiusQuantile(kShares[1], basis.dimensions())},
      m_spectrum{basis.spectrum[0], basis.spectrum[1]} {
    const auto units =
        mechanism::unitDraws(seed, StreamPurpose::spaceView, 0, 0, draws, basis.dimensions());
    const RowMatrixD plane = basis.axes.leftCols<2>();
    m_draws = units.directions * plane;
    for (Eigen::Index row = 0; row < draws; ++row) {
        m_draws.row(row) *=
            numeric::gammaQuantile(static_cast<double>(basis.dimensions()), units.quantiles[row]);
    }
}

PlanePoint PlaneNoise::scale(double lambda) const {
    return {std::sqrt(lambda * m_spectrum[0] + 1.0 - lambda),
            std::sqrt(lambda * m_spectrum[1] + 1.0 - lambda)};
}

std::vector<Contour> PlaneNoise::contours(double epsilon, double lambda) const {
    const PlanePoint factor = scale(lambda);
    std::vector<Contour> ellipses;
    for (std::size_t i = 0; i < kShares.size(); ++i) {
        const double radius = m_radii[i] / epsilon;
        ellipses.push_back({kShares[i], radius * factor.x, radius * factor.y, {}});
    }
    return ellipses;
}

std::vector<PlanePoint> PlaneNoise::draws(double epsilon, double lambda) const {
    const PlanePoint factor = scale(lambda);
    std::vector<PlanePoint> offsets;
    for (const auto& draw : m_draws.rowwise()) {
        offsets.push_back({draw[0] * factor.x / epsilon, draw[1] * factor.y / epsilon});
    }
    return offsets;
}

bool Contour::contains(const PlanePoint& offset) const {
    const double x = (offset.x - centre.x) / semiAxisX;
    const double y = (offset.y - centre.y) / semiAxisY;
    return x * x + y * y <= 1.0;
}

std::vector<PlanePoint> outline(const Contour& contour, const PlanePoint& word, int points) {
    std::vector<PlanePoint> all;
    for (int i = 0; i < points; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / points;
        all.push_back({word.x + contour.centre.x + contour.semiAxisX * std::cos(angle),
                       word.y + contour.centre.y + contour.semiAxisY * std::sin(angle)});
    }
    all.push_back(all.front());
    return all;
}

std::int64_t countInside(const std::vector<PlanePoint>& offsets, const Contour& contour) {
    return std::ranges::count_if(
        offsets, [&contour](const PlanePoint& offset) { return contour.contains(offset); });
}

Contour geodesicCircle(const PlanePoint& word, double gap, double radius) {
    const double s = std::tanh(0.5 * radius);
    // 1 - s^2 ||w||^2 = (1 - s^2) + s^2 gap, without cancellation; the first term is sech^2(r/2).
    const double y = std::exp(-radius);
    const double below = 4.0 * y / ((1.0 + y) * (1.0 + y)) + s * s * gap;
    const double shrink = -s * s * gap / below;
    return {0.0, s * gap / below, s * gap / below, {shrink * word.x, shrink * word.y}};
}

BallNoise::BallNoise(embedding::EmbeddingHandle embedding, const mechanism::HyperbolicNoise& noise,
                     std::uint64_t seed, std::int64_t draws)
    : m_embedding(std::move(embedding)),
      m_noise(noise),
      m_units(mechanism::unitDraws(seed, StreamPurpose::spaceView, 0, 0, draws,
                                   m_embedding->dimensions())) {}

std::array<double, 2> BallNoise::radii(double epsilon) const {
    std::array<double, 2> radii{};
    if (const auto law = m_noise.radiusAt(epsilon)) {
        radii = {law->quantile(PlaneNoise::kShares[0]), law->quantile(PlaneNoise::kShares[1])};
    }
    return radii;
}

std::vector<Contour> BallNoise::contours(const PlaneAxes& plane, embedding::Row word,
                                         double epsilon) const {
    const auto vector = m_embedding->vectors().row(word);
    const PlanePoint place = plane.project(vector.cast<double>().transpose());
    std::vector<Contour> circles;
    for (const double radius : radii(epsilon)) {
        if (radius > 0.0) {
            circles.push_back(
                geodesicCircle(place, metric::ballGap(vector.data(), vector.cols()), radius));
            circles.back().share = PlaneNoise::kShares[circles.size() - 1];
        }
    }
    return circles;
}

std::vector<PlanePoint> BallNoise::draws(const PlaneAxes& plane, embedding::Row word,
                                         double epsilon) const {
    std::vector<PlanePoint> offsets;
    const auto law = m_noise.radiusAt(epsilon);
    const auto vector = m_embedding->vectors().row(word);
    const PlanePoint place = plane.project(vector.cast<double>().transpose());
    const double gap = metric::ballGap(vector.data(), vector.cols());
    for (Eigen::Index i = 0; law && i < m_units.quantiles.size(); ++i) {
        const PlanePoint point = plane.project(
            mechanism::noisyPoint(vector.data(), gap, m_units.directions.row(i).data(),
                                  vector.cols(), law->quantile(m_units.quantiles[i])));
        offsets.push_back({point.x - place.x, point.y - place.y});
    }
    return offsets;
}

}  // namespace epsilens::plane
