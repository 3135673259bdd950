#include "core/mechanism/hyperbolic_noise.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::mechanism {
namespace {

using ConstVector = Eigen::Map<const VectorD>;

// 1 - tanh^2(r/2), to full relative precision.
double squaredSech(double radius) {
    const double y = std::exp(-radius);
    return 4.0 * y / ((1.0 + y) * (1.0 + y));
}

}  // namespace

// With x = tanh(r/2) xi and z = w + x, the Möbius sum
//   ((1 + 2 w.x + ||x||^2) w + (1 - ||w||^2) x) / (1 + 2 w.x + ||w||^2 ||x||^2)
// is (||z||^2 w + (1 - ||w||^2) z) / (||z||^2 + (1 - ||w||^2)(1 - ||x||^2)): sums of positive terms
// take the place of 1 + 2 w.x, which cancels when the noise leads from the edge inwards.
VectorD noisyPoint(const float* word, double gap, const double* direction, Eigen::Index dimensions,
                   double radius) {
    const VectorD w = Eigen::Map<const VectorF>(word, dimensions).cast<double>();
    const VectorD z = w + std::tanh(0.5 * radius) * ConstVector(direction, dimensions);
    const double squared = z.squaredNorm();
    return (squared * w + gap * z) / (squared + gap * squaredSech(radius));
}

Result<HyperbolicNoise> HyperbolicNoise::create(const embedding::PreparedEmbedding& embedding,
                                                RadialLaw law) {
    const std::int64_t outside =
        metric::rowsOutsideBall(embedding.vectors(), embedding.squaredNorms);
    if (outside > 0) {
        return fail(ErrorCode::unsupported,
                    fmt::format("hyperbolic noise impossible: {} {} norm ≥ 1, and Poincaré vectors "
                                "lie inside the unit ball. Load Poincaré vectors, leave these rows "
                                "out, or choose another mechanism",
                                formatCount(outside), outside == 1 ? "row has" : "rows have"));
    }
    return HyperbolicNoise(embedding.dimensions(), law);
}

double HyperbolicNoise::epsilonBound() const {
    return numeric::epsilonBound(m_law, m_dimensions);
}

Result<numeric::HyperbolicRadius> HyperbolicNoise::radiusAt(double epsilon) const {
    return numeric::HyperbolicRadius::create(m_law, m_dimensions, epsilon);
}

double HyperbolicNoise::epsilonOfRadius(double radius, double quantile) const {
    return numeric::epsilonOfRadius(m_law, m_dimensions, radius, quantile);
}

double HyperbolicNoise::largestRadius(double quantile) const {
    return numeric::radiusAtBound(m_law, m_dimensions, quantile);
}

Guarantee HyperbolicNoise::guarantee(double epsilon) const {
    return guaranteeOf({.law = m_law}, Metric::poincare, epsilon, m_dimensions);
}

}  // namespace epsilens::mechanism
