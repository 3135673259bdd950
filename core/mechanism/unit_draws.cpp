#include "core/mechanism/unit_draws.h"

#include "core/numeric/radial_laws.h"

namespace epsilens::mechanism {

UnitDraws unitDraws(std::uint64_t seed, StreamPurpose purpose, std::uint32_t block,
                    std::int64_t first, std::int64_t count, Eigen::Index dimensions) {
    UnitDraws draws{RowMatrixD(count, dimensions), VectorD(count)};
    for (std::int64_t index = 0; index < count; ++index) {
        SeededStream stream(
            StreamKey{seed, purpose, block, static_cast<std::uint32_t>(first + index)});
        draws.quantiles[index] = stream.uniform();
        auto direction = draws.directions.row(index);
        for (Eigen::Index k = 0; k < dimensions; ++k) {
            direction[k] = stream.normal();
        }
        direction /= direction.norm();
    }
    return draws;
}

RowMatrixF noiseAtUnitEpsilon(const UnitDraws& draws, const EllipticalNoise& noise) {
    RowMatrixD points = noise.shape(draws.directions);
    const double shape = static_cast<double>(noise.dimensions());
    for (Eigen::Index row = 0; row < points.rows(); ++row) {
        points.row(row) *= numeric::gammaQuantile(shape, draws.quantiles[row]);
    }
    return points.cast<float>();
}

}  // namespace epsilens::mechanism
