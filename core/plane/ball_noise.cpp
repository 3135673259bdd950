#include "core/plane/ball_noise.h"

#include <cmath>
#include <utility>

#include "core/metric/poincare_distance.h"

namespace epsilens::plane {

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
    const auto law = m_noise.radiusAt(epsilon);
    return law ? std::array{law->quantile(PlaneNoise::kShares[0]),
                            law->quantile(PlaneNoise::kShares[1])}
               : std::array<double, 2>{};
}

std::vector<Contour> BallNoise::contours(const PlaneAxes& plane, embedding::Row word,
                                         double epsilon) const {
    const auto vector = m_embedding->vectors().row(word);
    const PlanePoint place = plane.project(vector.cast<double>().transpose());
    const double gap = metric::ballGap(vector.data(), vector.cols());
    const auto quantiles = radii(epsilon);
    std::vector<Contour> circles;
    for (std::size_t i = 0; i < quantiles.size() && quantiles[i] > 0.0; ++i) {
        circles.push_back(geodesicCircle(place, gap, quantiles[i]));
        circles.back().share = PlaneNoise::kShares[i];
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
