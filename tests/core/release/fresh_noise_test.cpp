#include "core/release/fresh_noise.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>

#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;

namespace {

// The numbers cannot be repeated: a true program fails each check with this probability.
constexpr double kNoiseFalseAlarms = 1e-9;

mechanism::EllipticalNoise noiseOf(const embedding::EmbeddingHandle& embedding, double lambda) {
    return mechanism::EllipticalNoise::create(
               std::shared_ptr<const embedding::PcaBasis>(embedding, &embedding->basis), lambda)
        .value();
}

}  // namespace

TEST_CASE("In one dimension fresh noise is the two-sided exponential law") {
    OperatingSystemStream stream;
    const auto noise = noiseOf(test::toyEmbedding(test::anisotropicVectors(9, 1, 1)), 0.0);
    const RowMatrixD draws = release::freshNoise(noise, 100'000, stream);
    std::vector<double> sample(draws.data(), draws.data() + draws.size());
    const auto law = [](double x) {
        return x < 0.0 ? 0.5 * std::exp(x) : 1.0 - 0.5 * std::exp(-x);
    };
    CHECK(test::ksDistance(sample, law) < test::ksCritical(sample.size(), kNoiseFalseAlarms));
}

TEST_CASE("Fresh gamma numbers have their law for few and many dimensions") {
    const Eigen::Index shape = GENERATE(1, 2, 17, 300);
    OperatingSystemStream stream;
    std::vector<double> sample(20'000);
    for (double& value : sample) {
        value = release::freshGamma(shape, stream);
    }
    const auto law = [&](double x) { return boost::math::gamma_p(static_cast<double>(shape), x); };
    CHECK(test::ksDistance(sample, law) < test::ksCritical(sample.size(), kNoiseFalseAlarms));
}

// A coordinate of a uniform direction in R^3 is uniform on [-1, 1] (Archimedes).
TEST_CASE("Fresh directions are uniform on the sphere") {
    OperatingSystemStream stream;
    const RowMatrixD directions = release::freshDirections(60'000, 3, stream);
    CHECK((directions.rowwise().norm().array() - 1.0).abs().maxCoeff() < 1e-15 * 4);
    const VectorD slanted = directions * VectorD::Constant(3, std::sqrt(1.0 / 3.0));
    std::vector<double> sample(slanted.data(), slanted.data() + slanted.size());
    CHECK(test::ksDistance(sample, [](double x) { return 0.5 * (x + 1.0); }) <
          test::ksCritical(sample.size(), kNoiseFalseAlarms));
}

// Z^T A^-1 Z is the square of the radius whatever lambda: Y ~ Gamma(m, 1).
TEST_CASE("Fresh Mahalanobis noise has the shape of its matrix") {
    OperatingSystemStream stream;
    const double lambda = GENERATE(0.3, 1.0);
    const auto noise = noiseOf(test::toyEmbedding(test::anisotropicVectors(60, 5, 3)), lambda);
    const RowMatrixD draws = release::freshNoise(noise, 30'000, stream);
    std::vector<double> radii;
    std::vector<double> alongFirst;
    const VectorD origin = VectorD::Zero(5);
    for (Eigen::Index i = 0; i < draws.rows(); ++i) {
        radii.push_back(noise.distance(origin, draws.row(i).transpose()));
        // Sign of the first principal coordinate.
        alongFirst.push_back(draws.row(i).dot(noise.basis().axes.col(0)) > 0.0 ? 1.0 : 0.0);
    }
    CHECK(test::ksDistance(radii, [](double x) { return boost::math::gamma_p(5.0, x); }) <
          test::ksCritical(radii.size(), kNoiseFalseAlarms));
    // Power along each axis: E (Z.q_k)^2 = (m + 1) s_k^2; its relative spread over n draws is below
    // sqrt(E Y^4 E X_k^4 / (E Y^2 E X_k^2)^2 / n) = sqrt(4.8 / n) for m = 5.
    const RowMatrixD inAxes = draws * noise.basis().axes;
    for (Eigen::Index k = 0; k < 5; ++k) {
        const double power = inAxes.col(k).squaredNorm() / static_cast<double>(draws.rows());
        const double expected = 6.0 * noise.axisScales()[k] * noise.axisScales()[k];
        CHECK(std::abs(power / expected - 1.0) <
              test::normalCritical(kNoiseFalseAlarms) * std::sqrt(4.8 / 30'000.0));
    }
}

TEST_CASE("No two rows of any two calls share a number") {
    // 20 x 500 x 4 numbers of 52 random bits: two agree by chance with probability below 4e-7.
    std::vector<double> numbers;
    OperatingSystemStream kept;
    for (int call = 0; call < 20; ++call) {
        OperatingSystemStream fresh;
        const RowMatrixD rows = release::freshDirections(500, 4, call % 2 == 0 ? kept : fresh);
        numbers.insert(numbers.end(), rows.data(), rows.data() + rows.size());
    }
    for (double& number : numbers) {
        number = std::abs(number);
    }
    std::ranges::sort(numbers);
    CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
}
