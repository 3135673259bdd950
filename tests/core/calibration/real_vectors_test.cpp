#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/options.h"
#include "core/embedding/load.h"
#include "core/plane/plane_noise.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/shared_data.h"

// Real GloVe vectors: a part of glove.6B.300d, 3,165 words. The tables of Xu et al. 2020 were made
// on 28,596 words of the whole file, so their shape is compared, not their digits.

using namespace epsilens;

TEST_CASE("GloVe vectors: eigenvalues and Euclidean factors") {
    const auto glove = test::openedShared(test::kGloveSubset);
    if (!glove) {
        return test::skipForWantOfData();
    }
    // Computed with numpy's eigvalsh from the same file, given to three or four digits.
    const embedding::PcaBasis& basis = glove->basis;
    CHECK(basis.spectrum[0] == Approx(27.05).epsilon(1e-3));
    CHECK(basis.spectrum[299] == Approx(0.0092).epsilon(1e-2));
    const auto factor = [&](double lambda) {
        const auto noise = mechanism::EllipticalNoise::create(test::basisOf(glove), lambda).value();
        return (*noise.guarantee(1.0).euclidean)[1];
    };
    CHECK(factor(1.0) == Approx(10.4).epsilon(5e-3));
    CHECK(factor(0.5) == Approx(1.41).epsilon(5e-3));
}

TEST_CASE("GloVe vectors: N_w and S_w have the shape of Tables 3 and 4 of Xu et al. 2020") {
    const auto glove = test::openedShared(test::kGloveSubset);
    if (!glove) {
        return test::skipForWantOfData();
    }
    const calibration::CalibrationOptions options{
        {.words = {.count = 300}, .draws = 50},
        {mechanism::Mahalanobis{}, {1, 5, 10, 20, 40}, {0, 0.25, 0.5, 0.75, 1}}};
    const auto summary = calibration::calibrate(engine::SearchSpace(glove), options).value();
    const auto cell = [&](std::size_t lambda, std::size_t epsilon) -> const calibration::Cell& {
        return summary.cells[lambda * options.grid.epsilons.size() + epsilon];
    };
    for (std::size_t lambda = 0; lambda < options.grid.lambdas.size(); ++lambda) {
        for (std::size_t epsilon = 0; epsilon < options.grid.epsilons.size(); ++epsilon) {
            CAPTURE(options.grid.lambdas[lambda], options.grid.epsilons[epsilon]);
            if (epsilon > 0) {
                CHECK(cell(lambda, epsilon).nw.mean > cell(lambda, epsilon - 1).nw.mean);
            }
            // S_w has its peak near epsilon = 5 on so few words: below it the words on the hull
            // attract every draw.
            if (epsilon > 1) {
                CHECK(cell(lambda, epsilon).sw.mean < cell(lambda, epsilon - 1).sw.mean);
            }
            // At epsilon = 1 and 40 the tables differ by less between lambdas than 300 words tell.
            if (lambda > 0 && epsilon >= 1 && epsilon <= 3) {
                CHECK(cell(lambda, epsilon).nw.mean < cell(lambda - 1, epsilon).nw.mean);
            }
            if (lambda > 0 && epsilon >= 2 && epsilon <= 3) {
                CHECK(cell(lambda, epsilon).sw.mean > cell(lambda - 1, epsilon).sw.mean);
            }
        }
    }
}

// What the built-in samples have to show. The bounds are requirements, not measurements; the seed
// is fixed, so that a result within them stays there.

using namespace epsilens::calibration;

namespace {

double keptOf100(const Cell& cell) {
    return 100.0 * cell.kept;
}

}  // namespace

TEST_CASE("sample: lambda matters at the default epsilon") {
    const engine::SearchSpace space = test::sampleSpace("sample");
    CalibrationOptions options{{.words = {.count = 200}, .draws = 50},
                               {mechanism::Mahalanobis{}, {}, {0.0, 1.0}}};
    options.grid.epsilons = {estimateRange(space, options).value().suggested};
    const auto summary = calibrate(space, options).value();
    REQUIRE(summary.cells.size() == 2);
    CHECK(keptOf100(summary.cells[0]) - keptOf100(summary.cells[1]) >= 12.0);
}

TEST_CASE("sample: at lambda = 0.5 the contours are ellipses that can be told from circles") {
    const engine::SearchSpace space = test::sampleSpace("sample");
    const plane::PlaneNoise noise(space.embedding().basis, 1, 1);
    for (const plane::Contour& contour : noise.contours(8.0, 0.5)) {
        CHECK(contour.semiAxisX >= 1.4 * contour.semiAxisY);
    }
}

TEST_CASE("sample-poincare: the default epsilons show words that go and words that stay") {
    const engine::SearchSpace space = test::sampleSpace("sample-poincare");
    CalibrationOptions options{{.words = {.count = 200}, .draws = 50}, {mechanism::Hyperbolic{}}};
    options.grid.epsilons = defaultEpsilons(space, options, estimateRange(space, options).value());
    const auto summary = calibrate(space, options).value();
    CHECK(keptOf100(summary.cells.front()) <= 30.0);
    CHECK(keptOf100(summary.cells.back()) >= 70.0);
    // Replaced by other words of its kind more often than by words that have nothing to do with it.
    for (const Cell& cell : summary.cells) {
        CHECK(cell.near > cell.far);
    }
}
