#include "core/mechanism/noise_contour.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

TEST_CASE("Contours hold their share of the noise") {
    constexpr std::int64_t kDraws = 20000;
    const Eigen::Index m = GENERATE(2, 3, 40);
    const double lambda = GENERATE(0.0, 0.8);
    const double share = GENERATE(0.5, 0.95);
    const double epsilon = 3.0;
    const auto handle = test::toyEmbedding(test::anisotropicVectors(500, m, 1));
    const auto noise = EllipticalNoise::create({handle, &handle->basis}, lambda).value();
    const ContourEllipse ellipse = noiseContour(noise, epsilon, share, 0, 1).value();
    if (lambda == 0.0) {
        CHECK(ellipse.semiAxisX == ellipse.semiAxisY);
    } else {
        CHECK(ellipse.semiAxisX > ellipse.semiAxisY);
    }
    const RowMatrixD draws = planeDraws(noise, 7, kDraws, 0, 1) / epsilon;
    std::int64_t inside = 0;
    for (Eigen::Index row = 0; row < draws.rows(); ++row) {
        const double x = draws(row, 0) / ellipse.semiAxisX;
        const double y = draws(row, 1) / ellipse.semiAxisY;
        inside += x * x + y * y <= 1.0 ? 1 : 0;
    }
    // Binomial count; false-alarm rate 1e-6 by the normal approximation.
    const double error = std::sqrt(share * (1.0 - share) / static_cast<double>(kDraws));
    CHECK(std::fabs(static_cast<double>(inside) / static_cast<double>(kDraws) - share) <
          test::normalCritical(1e-6) * error);
}
