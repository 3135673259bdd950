#include "core/calibration/run.h"

#include <memory>

#include <catch2/catch.hpp>

#include "core/calibration/measurement.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("A run is done again over a grid with the setting that it lacks") {
    const auto space = test::toySpace(300, 8, 75);
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {0.5, 30.0};
    options.grid.lambdas = {0.0, 0.8};
    options.words.count = 60;
    options.draws = 25;
    const auto run = std::make_shared<const Run>(
        describeRun(space, calibrate(space, options).value(), {{}, options}).value());
    const mechanism::Setting setting{mechanism::Mahalanobis{0.3}, 7.37882};

    CHECK_FALSE(cellOf(run->summary->grid, setting));
    const auto wider = runWith(run, setting, space).value();
    CHECK(wider->request.options.grid.epsilons == std::vector{0.5, 7.37882, 30.0});
    CHECK(wider->request.options.grid.lambdas == std::vector{0.0, 0.3, 0.8});
    REQUIRE(cellOf(wider->summary->grid, setting) == 4);
    const Cell& cell = wider->summary->cells[4];
    CHECK(cell.epsilon == 7.37882);
    CHECK(cell.lambda == 0.3);
    // The measurement finds the same outputs without a grid.
    const auto measured = measure(space, MeasurementOptions{options, setting.mechanism}).value();
    const Cell exact = measured->cellsAt(std::vector{setting.epsilon}).front();
    CHECK(cell.nw.mean == exact.nw.mean);
    CHECK(cell.nw.p95 == exact.nw.p95);
    CHECK(cell.sw.mean == exact.sw.mean);
    // What was there stays: the last cell is that of the largest values.
    CHECK(wider->summary->cells.back().nw.mean == run->summary->cells.back().nw.mean);
    CHECK(wider->worstWords.size() == wider->summary->cells.size());

    CHECK(runWith(wider, setting, space).value() == wider);
}

TEST_CASE("A grid takes in a radius of its own kind and gives way to another") {
    const mechanism::Setting byBeta{mechanism::Tem{metric::Metric::mahalanobis, 0.5, {}, 0.25},
                                    2.0};
    const mechanism::Setting byGamma{mechanism::Tem{metric::Metric::mahalanobis, 0.5, 3.0}, 2.0};
    mechanism::Grid grid;
    grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    grid.epsilons = {1.0};
    grid.lambdas = {0.5};
    grid.betas = {0.001};

    const mechanism::Grid betas = including(grid, byBeta);
    CHECK(betas.betas == std::vector{0.001, 0.25});
    CHECK(cellOf(betas, byBeta) == 3);
    CHECK_FALSE(cellOf(betas, byGamma));
    const mechanism::Grid gammas = including(betas, byGamma);
    CHECK(gammas.gammas == std::vector{3.0});
    CHECK(cellOf(gammas, byGamma) == 1);
    CHECK(cellOf(including(gammas, byBeta), byBeta) == 1);
    CHECK(including(betas, byBeta) == betas);
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
