#include "core/calibration/some_epsilons.h"

#include <array>
#include <memory>

#include <catch2/catch.hpp>

#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

CalibrationOptions denseOptions() {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.lambdas = {0.0, 0.8};
    options.grid.epsilons = {2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 24.0};
    options.epsilonAxis = true;
    options.words.count = 30;
    options.draws = 15;
    return options;
}

}  // namespace

TEST_CASE("A run at some epsilons keeps what belongs to them") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(200, 5, 93)));
    const CalibrationOptions options = denseOptions();
    const Run run =
        describeRun(space, calibrate(space, options).value(), keptRequest({}, options)).value();
    REQUIRE(isOfAxis(run));
    const Run some = runAt(run, std::array{20.0, 2.0});
    CHECK_FALSE(isOfAxis(some));
    CHECK(some.request.options.grid.epsilons == std::vector<double>{20.0, 2.0});
    REQUIRE(some.worstWords.size() == 4);
    CHECK(some.worstWords[2].front().word == run.worstWords[11 + 9].front().word);
    CHECK(some.examples.empty() == run.examples.empty());
    CHECK(some.summary->cells[3].nw.mean == run.summary->cells[11].nw.mean);
    CHECK(some.summary->perWord.words.empty());
}

TEST_CASE("A run whose cells are no grid is of no axis") {
    CalibrationSummary summary;
    summary.grid.epsilons = {1.0, 2.0};
    summary.cells.resize(2);
    summary.cells[0].epsilon = 1.0;
    Run run;
    run.request.options.epsilonAxis = true;
    for (const double second : {1.0, 2.0}) {
        summary.cells[1].epsilon = second;
        run.summary = std::make_shared<const CalibrationSummary>(summary);
        CHECK(isOfAxis(run) == (second == 2.0));
    }
}

TEST_CASE("Epsilons are spread over the grid, the ends and a chosen one among them") {
    CalibrationSummary summary;
    for (int i = 0; i < 200; ++i) {
        summary.grid.epsilons.push_back(1.0 + i);
    }
    const auto some = spreadEpsilons(summary, 9);
    REQUIRE(some.size() == 9);
    CHECK(some.front() == 1.0);
    CHECK(some.back() == 200.0);
    CHECK(some[4] == 100.0);
    const auto besides = spreadEpsilons(summary, 9, 31.0);
    CHECK(besides.size() == 10);
    CHECK(besides[2] == 31.0);
    CHECK(spreadEpsilons(summary, 9, 200.0).size() == 9);
    summary.grid.epsilons.resize(9);
    CHECK(spreadEpsilons(summary, 9) == summary.grid.epsilons);
}
