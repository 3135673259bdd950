#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/calibration/equal_runs.h"
#include "tests/support/toy_embedding.h"

// With many epsilons a run searches at few of them and knows the others from the path of the draw.

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

std::vector<double> spread(double low, double high, int count) {
    std::vector<double> epsilons(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        epsilons[static_cast<std::size_t>(i)] = low * std::pow(high / low, i / (count - 1.0));
    }
    return epsilons;
}

/// Checks the results of many epsilons against runs of four of them each: so few are all searched.
void requireEqualToRunsOfFew(const engine::SearchSpace& space, CalibrationOptions options) {
    constexpr std::size_t kFew = 4;
    const CalibrationSummary dense = calibrate(space, options).value();
    const std::vector<double> all = options.grid.epsilons;
    const std::size_t curves = dense.cells.size() / all.size();
    int moving = 0;
    for (std::size_t first = 0; first + kFew <= all.size(); first += kFew) {
        options.grid.epsilons.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                                     all.begin() + static_cast<std::ptrdiff_t>(first + kFew));
        const CalibrationSummary few = calibrate(space, options).value();
        REQUIRE(few.perWord.words == dense.perWord.words);
        for (std::size_t curve = 0; curve < curves; ++curve) {
            for (std::size_t e = 0; e < kFew; ++e) {
                const std::size_t cell = curve * all.size() + first + e;
                const std::size_t own = curve * kFew + e;
                test::requireEqual(dense.cells[cell], few.cells[own]);
                for (std::size_t word = 0; word < few.perWord.words.size(); ++word) {
                    const std::size_t at = word * dense.perWord.cells + cell;
                    const std::size_t from = word * few.perWord.cells + own;
                    REQUIRE(dense.perWord.nw[at] == few.perWord.nw[from]);
                    REQUIRE(dense.perWord.sw[at] == few.perWord.sw[from]);
                    REQUIRE(dense.perWord.near[at] == few.perWord.near[from]);
                }
                moving += few.cells[own].kept > 0.02 && few.cells[own].kept < 0.98 ? 1 : 0;
            }
        }
    }
    // Most epsilons lie where outputs change.
    CHECK(moving > static_cast<int>(dense.cells.size() / 3));
}

CalibrationOptions optionsOf(const mechanism::Mechanism& mechanism) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism;
    options.draws = 30;
    options.seed = 3;
    options.words.count = 90;
    return options;
}

}  // namespace

TEST_CASE("Statistics at many epsilons are those of runs at a few of them") {
    RowMatrixF vectors = test::anisotropicVectors(500, 8, 81);
    vectors.row(400) = vectors.row(20);
    vectors.row(20) *= 1.0F + 1e-7F;
    const auto space = test::spaceOf(std::move(vectors));
    CalibrationOptions options = optionsOf(mechanism::Mahalanobis{});
    options.grid.lambdas = {0.0, 0.7};
    // In an order of their own, one of them twice.
    options.grid.epsilons = spread(0.8, 60.0, 64);
    std::reverse(options.grid.epsilons.begin() + 10, options.grid.epsilons.end());
    options.grid.epsilons[3] = options.grid.epsilons[50];
    options.threads = GENERATE(1, 3);
    SECTION("words that share their draws") {
        requireEqualToRunsOfFew(space, options);
    }
    SECTION("separate draws for every word") {
        options.independentDraws = true;
        options.words.count = 12;
        requireEqualToRunsOfFew(space, options);
    }
}

TEST_CASE("Statistics of hyperbolic noise at many epsilons are those of runs at a few of them") {
    const auto space = test::spaceOf(test::poincareVectors(150, 2, 0.97, 82));
    CalibrationOptions options = optionsOf(mechanism::Hyperbolic{});
    options.grid.epsilons = spread(1.5, 12.0, 40);
    requireEqualToRunsOfFew(space, options);
}
