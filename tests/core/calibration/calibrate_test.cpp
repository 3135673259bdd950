#include "core/calibration/calibrate.h"

#include <array>
#include <memory>

#include <catch2/catch.hpp>

#include "core/calibration/run.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

CalibrationOptions smallGrid() {
    return {{.words = {.count = 150}, .draws = 25, .seed = 5},
            {mechanism::Mahalanobis{}, {0.5, 4.0, 30.0}, {0.0, 0.8}}};
}

}  // namespace

TEST_CASE("A run gives the same numbers for any number of threads") {
    const auto space = test::toySpace(700, 12, 71);
    CalibrationOptions options = smallGrid();
    options.threads = 1;
    const auto one = calibrate(space, options).value();
    options.threads = GENERATE(2, 7);
    test::requireEqual(one, calibrate(space, options).value());
    std::array<CalibrationSummary, 2> shared;
    test::together(2, [&](std::size_t rank, test::ThreadCrew& crew) {
        shared.at(rank) = calibrate(space, options, {}, &crew).value();
    });
    test::requireEqual(one, shared.front());
    test::requireEqual(one, shared.back());
}

TEST_CASE("Results that need more memory than is free are refused before the run") {
    const auto space = test::toySpace(20, 3, 73);
    CalibrationOptions options = smallGrid();
    options.draws = 1'000'000;
    options.grid.epsilons.assign(10'000, 1.0);
    test::checkRefused(calibrate(space, options), ErrorCode::resourceLimit, "the results");
}

TEST_CASE("A run has a cell for each setting, and N_w rises with epsilon for every word") {
    const auto space = test::toySpace(700, 12, 72);
    const CalibrationOptions options = smallGrid();
    const auto summary = calibrate(space, options).value();
    REQUIRE(summary.cells.size() == 6);
    REQUIRE(summary.guarantees.size() == 6);
    CHECK(summary.substitutions == 150 * 25 * 6);
    for (std::size_t c = 0; c < summary.cells.size(); ++c) {
        CHECK(summary.cells[c].epsilon == options.grid.epsilons[c % 3]);
        CHECK(summary.cells[c].lambda == options.grid.lambdas[c / 3]);
        // Draw by draw under common random numbers.
        for (std::size_t w = 0; w < 150 && c % 3 > 0; ++w) {
            REQUIRE(summary.perWord.nw[w * 6 + c - 1] <= summary.perWord.nw[w * 6 + c]);
        }
    }
}

TEST_CASE("Laplace is Mahalanobis at lambda 0") {
    const auto space = test::toySpace(300, 6, 74);
    CalibrationOptions options = smallGrid();
    options.grid.lambdas = {0.0};
    const auto mahalanobis = calibrate(space, options).value();
    options.grid.mechanism = mechanism::Laplace{};
    options.grid.lambdas = {0.3, 0.7};
    const auto laplace = calibrate(space, options).value();
    CHECK(laplace.grid.lambdas == std::vector<double>{0.0});
    test::requireEqual(laplace, mahalanobis);
    CHECK(laplace.guarantees[0].metric == mechanism::Metric::euclidean);
}

TEST_CASE("A cancelled run keeps its finished blocks") {
    const auto space = test::toySpace(700, 12, 75);
    const CalibrationOptions options = smallGrid();
    const auto partial = calibrate(space, options, test::stoppedAt(0.501)).value();
    CHECK(partial.partial);
    CHECK(partial.words == 64);
    CHECK(partial.wordsAsked == 150);
    CHECK(partial.perWord.words.size() == 64);
    test::requirePartOf(partial, calibrate(space, options).value());
    test::checkRefused(calibrate(space, options, test::stoppedJob()), ErrorCode::cancelled);
}

TEST_CASE("Block sizes follow the words of the run alone") {
    CHECK(blockSize(10) == 10);
    CHECK(blockSize(500) == 64);
    CHECK(blockSize(5000) == 250);
    CHECK(blockSize(28596) == 1024);
}

TEST_CASE("A run is repeated with the blocks that it had") {
    const auto space = test::toySpace(150, 4, 77);
    CalibrationOptions options = smallGrid();
    options.words.kind = WordSelection::Kind::all;
    options.blockSize = 32;
    const CalibrationSummary summary = calibrate(space, options).value();
    REQUIRE(summary.blockSize == 32);
    options.blockSize = 0;
    CHECK(calibrate(space, options).value().perWord.nw != summary.perWord.nw);
    Run run;
    run.request.options = options;
    run.summary = std::make_shared<const CalibrationSummary>(summary);
    run.provenance = provenanceOf(space.embedding());
    CHECK(repeatRun(run, space, 1).value().summary->perWord.nw == summary.perWord.nw);
}

TEST_CASE("One draw or one word leave no interval") {
    const auto space = test::toySpace(100, 4, 76);
    CalibrationOptions options = smallGrid();
    options.draws = 1;
    CHECK_FALSE(calibrate(space, options).value().cells[0].nw.ci95);
    options.draws = 10;
    options.words = {WordSelection::Kind::list, 0, {3}};
    CHECK_FALSE(calibrate(space, options).value().cells[0].sw.ci95);
}
