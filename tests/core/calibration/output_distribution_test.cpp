#include "core/calibration/output_distribution.h"

#include <catch2/catch.hpp>

#include "core/engine/noise_draws.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("Outputs are counted, classed and ordered") {
    // Breaks in 1/epsilon: at epsilon = 1 four draws have left the word.
    const engine::WordPaths paths{
        {{}, {4}},       {{2.0}, {4, 8}},         {{0.5}, {4, 9}},
        {{0.5}, {4, 9}}, {{0.1, 0.9}, {4, 7, 2}}, {{0.1, 1.1}, {4, 2, 3}}};
    engine::Neighbourhood neighbours;
    neighbours.rows = {9, 3};
    neighbours.distances = {0.1, 0.2};
    const OutputDistribution result =
        outputDistribution(4, engine::outputsAt(paths, 1.0), neighbours);
    CHECK(result.draws == 6);
    CHECK(result.kept == 2);
    CHECK(result.near == 2);
    CHECK(result.far == 2);
    REQUIRE(result.distinct() == 3);
    CHECK(result.outputs[0].row == 2);
    CHECK(result.outputs[0].outputClass == OutputClass::far);
    CHECK(result.outputs[1].row == 4);
    CHECK(result.outputs[1].outputClass == OutputClass::kept);
    CHECK(result.outputs[2].row == 9);
    CHECK(result.outputs[2].outputClass == OutputClass::near);
    CHECK(classify(4, 3, neighbours) == OutputClass::near);
    CHECK(classify(4, 5, neighbours) == OutputClass::far);
}
