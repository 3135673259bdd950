#include "core/plane/ball_noise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/pass_on.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::plane {

Contour geodesicCircle(const PlanePoint& word, double gap, double radius) {
    const double s = std::tanh(0.5 * radius);
    // 1 - s^2 ||w||^2 = (1 - s^2) + s^2 gap, without cancellation; the first term is sech^2(r/2).
    const double y = std::exp(-radius);
    const double below = 4.0 * y / ((1.0 + y) * (1.0 + y)) + s * s * gap;
    const double shrink = -s * s * gap / below;
    Contour circle;
    circle.semiAxisX = s * gap / below;
    circle.semiAxisY = circle.semiAxisX;
    circle.centre = {shrink * word.x, shrink * word.y};
    return circle;
}

BallNoise BallNoise::create(const embedding::EmbeddingHandle& embedding,
                            const mechanism::HyperbolicNoise& noise, std::uint64_t seed,
                            std::int64_t draws) {
    return BallNoise(
        embedding, noise,
        mechanism::unitDraws(seed, StreamPurpose::spaceView, 0, 0, draws, embedding->dimensions()));
}

double BallNoise::gap(embedding::Row word) const {
    return metric::ballGap(m_embedding->vectors().row(word).data(), m_embedding->dimensions());
}

std::array<double, 2> BallNoise::radii(double epsilon) const {
    const auto law = m_noise.radiusAt(epsilon);
    return law ? std::array{law->quantile(PlaneNoise::kShares[0]),
                            law->quantile(PlaneNoise::kShares[1])}
               : std::array<double, 2>{};
}

std::vector<Contour> BallNoise::contours(const PlaneAxes& plane, embedding::Row word,
                                         double epsilon) const {
    const PlanePoint place =
        plane.project(m_embedding->vectors().row(word).cast<double>().transpose());
    const auto quantiles = radii(epsilon);
    std::vector<Contour> circles;
    for (std::size_t i = 0; i < quantiles.size() && quantiles[i] > 0.0; ++i) {
        Contour circle = geodesicCircle(place, gap(word), quantiles[i]);
        circle.share = PlaneNoise::kShares[i];
        circles.push_back(circle);
    }
    return circles;
}

std::vector<PlanePoint> BallNoise::draws(const PlaneAxes& plane, embedding::Row word,
                                         double epsilon, std::int64_t count) const {
    std::vector<PlanePoint> offsets;
    const auto law = m_noise.radiusAt(epsilon);
    if (!law) {
        return offsets;
    }
    const float* vector = m_embedding->vectors().row(word).data();
    const PlanePoint place =
        plane.project(m_embedding->vectors().row(word).cast<double>().transpose());
    const double wordGap = gap(word);
    const Eigen::Index shown = std::min<Eigen::Index>(count, m_units.quantiles.size());
    offsets.reserve(static_cast<std::size_t>(shown));
    for (Eigen::Index i = 0; i < shown; ++i) {
        const PlanePoint point = plane.project(
            mechanism::noisyPoint(vector, wordGap, m_units.directions.row(i).data(),
                                  m_embedding->dimensions(), law->quantile(m_units.quantiles[i])));
        offsets.push_back({point.x - place.x, point.y - place.y});
    }
    return offsets;
}

}  // namespace epsilens::plane
