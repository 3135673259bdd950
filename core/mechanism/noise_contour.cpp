#include "core/mechanism/noise_contour.h"

#include "core/base/pass_on.h"
#include "core/mechanism/unit_draws.h"
#include "core/numeric/radial_laws.h"

namespace epsilens::mechanism {

Result<double> planeRadius(double share, Eigen::Index dimensions) {
    return numeric::planarRadiusQuantile(share, dimensions);
}

Result<ContourEllipse> noiseContour(const EllipticalNoise& noise, double epsilon, double share,
                                    Eigen::Index axisX, Eigen::Index axisY) {
    ASSIGN_OR_RETURN(const auto radius, planeRadius(share, noise.dimensions()));
    return ContourEllipse{radius / epsilon * noise.axisScales()[axisX],
                          radius / epsilon * noise.axisScales()[axisY]};
}

RowMatrixD planeDraws(const EllipticalNoise& noise, std::uint64_t seed, std::int64_t count,
                      Eigen::Index axisX, Eigen::Index axisY) {
    const UnitDraws draws =
        unitDraws(seed, StreamPurpose::spaceView, 0, 0, count, noise.dimensions());
    RowMatrixD plane(noise.dimensions(), 2);
    plane.col(0) = noise.basis().axes.col(axisX) * noise.axisScales()[axisX];
    plane.col(1) = noise.basis().axes.col(axisY) * noise.axisScales()[axisY];
    RowMatrixD points = draws.directions * plane;
    const double shape = static_cast<double>(noise.dimensions());
    for (Eigen::Index row = 0; row < points.rows(); ++row) {
        points.row(row) *= numeric::gammaQuantile(shape, draws.quantiles[row]);
    }
    return points;
}

}  // namespace epsilens::mechanism
