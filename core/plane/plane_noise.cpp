#include "core/plane/plane_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/mechanism/unit_draws.h"
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

PlanePoint PlaneNoise::scale(double epsilon, double lambda) const {
    return {std::sqrt(lambda * m_spectrum[0] + 1.0 - lambda) / epsilon,
            std::sqrt(lambda * m_spectrum[1] + 1.0 - lambda) / epsilon};
}

std::vector<Contour> PlaneNoise::contours(double epsilon, double lambda) const {
    const PlanePoint factor = scale(epsilon, lambda);
    return {Contour{kShares[0], m_radii[0] * factor.x, m_radii[0] * factor.y, {}},
            Contour{kShares[1], m_radii[1] * factor.x, m_radii[1] * factor.y, {}}};
}

std::vector<PlanePoint> PlaneNoise::draws(double epsilon, double lambda) const {
    const PlanePoint factor = scale(epsilon, lambda);
    std::vector<PlanePoint> offsets;
    for (const auto& draw : m_draws.rowwise()) {
        offsets.push_back({draw[0] * factor.x, draw[1] * factor.y});
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
    all.reserve(static_cast<std::size_t>(points) + 1);
    for (int i = 0; i < points; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / points;
        all.push_back({word.x + contour.centre.x + contour.semiAxisX * std::cos(angle),
                       word.y + contour.centre.y + contour.semiAxisY * std::sin(angle)});
    }
    all.push_back(all.front());
    return all;
}

std::int64_t countInside(const std::vector<PlanePoint>& offsets, const Contour& contour) {
    return std::count_if(offsets.begin(), offsets.end(),
                         [&contour](const PlanePoint& offset) { return contour.contains(offset); });
}

}  // namespace epsilens::plane
