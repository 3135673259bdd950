#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/embedding/load.h"
#include "core/plane/plane_noise.h"

// What the built-in samples have to show. The bounds are requirements, not measurements; the seed
// is fixed, so that a result within them stays there.

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

engine::SearchSpace openedSample(const std::string& name) {
    embedding::LoadOptions options;
    options.path = name;
    return engine::SearchSpace(embedding::openAndPrepare(options).value());
}

CalibrationOptions run(const mechanism::Mechanism& mechanism, std::vector<double> epsilons,
                       std::vector<double> lambdas) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism;
    options.grid.epsilons = std::move(epsilons);
    options.grid.lambdas = std::move(lambdas);
    options.words.count = 200;
    options.draws = 50;
    options.seed = 1;
    return options;
}

double keptOf100(const Cell& cell) {
    return 100.0 * cell.kept;
}

}  // namespace

TEST_CASE("sample: lambda matters at the default epsilon") {
    const engine::SearchSpace space = openedSample("sample");
    CalibrationOptions options = run(mechanism::Mahalanobis{}, {}, {0.0, 1.0});
    options.grid.epsilons = {estimateRange(space, options).value().suggested};
    const auto summary = calibrate(space, options).value();
    REQUIRE(summary.cells.size() == 2);
    CHECK(keptOf100(summary.cells[0]) - keptOf100(summary.cells[1]) >= 12.0);
}

TEST_CASE("sample: at lambda = 0.5 the contours are ellipses that can be told from circles") {
    const engine::SearchSpace space = openedSample("sample");
    const plane::PlaneNoise noise(space.embedding().basis, 1, 1);
    for (const plane::Contour& contour : noise.contours(8.0, 0.5)) {
        CHECK(contour.semiAxisX >= 1.4 * contour.semiAxisY);
    }
}

TEST_CASE("sample-poincare: the default epsilons show words that go and words that stay") {
    const engine::SearchSpace space = openedSample("sample-poincare");
    CalibrationOptions options = run(mechanism::Hyperbolic{}, {}, {0.0});
    options.grid.epsilons = defaultEpsilons(space, options, estimateRange(space, options).value());
    const auto summary = calibrate(space, options).value();
    CHECK(keptOf100(summary.cells.front()) <= 30.0);
    CHECK(keptOf100(summary.cells.back()) >= 70.0);
    // Replaced by other words of its kind more often than by words that have nothing to do with it.
    for (const Cell& cell : summary.cells) {
        CHECK(cell.near > cell.far);
    }
}
