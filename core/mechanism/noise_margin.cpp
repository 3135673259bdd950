#include "core/mechanism/noise_margin.h"

#include <cmath>

namespace epsilens::mechanism {

NoiseMargin noiseMargin(const EllipticalNoise& noise, const VectorD& from, const VectorD& to,
                        double epsilon) {
    const VectorD way = to - from;
    const double distance = way.norm();
    const VectorD alongAxes = noise.basis().axes.transpose() * (way / distance);
    const double stretch = noise.axisScales().cwiseProduct(alongAxes).norm();
    const double spherical = std::sqrt(static_cast<double>(noise.dimensions()) + 1.0) / epsilon;
    return {distance / 2.0, spherical, spherical * stretch};
}

}  // namespace epsilens::mechanism
