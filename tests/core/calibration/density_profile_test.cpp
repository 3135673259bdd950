#include "core/calibration/density_profile.h"

#include <catch2/catch.hpp>

#include "tests/core/calibration/calibration_fixture.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("A profile on a line: distances, nearest words, order and ranks") {
    // Row 4 repeats row 1; nearest different places: 0-1, 1-0, 3-1, 10-3, 1-0.
    const auto space = test::lineSpace({0, 1, 3, 10, 1});
    const DensityProfile profile = densityProfile(space).value();
    CHECK(profile.distances == std::vector<double>{1, 1, 2, 7, 1});
    CHECK(profile.nearest == std::vector<Row>{1, 0, 1, 2, 0});
    CHECK(profile.sparsestFirst == std::vector<Row>{3, 2, 0, 1, 4});
    CHECK(profile.ranks == std::vector<std::int32_t>{3, 4, 2, 1, 5});
}

TEST_CASE("Sparsest and densest words, ties to lower rows, within some words") {
    const auto space = test::lineSpace({0, 1, 3, 10, 1});
    const DensityProfile profile = densityProfile(space).value();
    const std::vector<Row> all = test::rowsBelow(5);
    CHECK(sparsestWords(profile, 2, all) == std::vector<Row>{3, 2});
    CHECK(densestWords(profile, 2, all) == std::vector<Row>{0, 1});
    CHECK(densestWords(profile, 99, all) == std::vector<Row>{0, 1, 4, 2, 3});
    const std::vector<Row> some{4, 2, 0};
    CHECK(sparsestWords(profile, 1, some) == std::vector<Row>{2});
    CHECK(sparsestWords(profile, 3, some) == std::vector<Row>{2, 0, 4});
    CHECK(densestWords(profile, 2, some) == std::vector<Row>{0, 4});
}

TEST_CASE("Figures of Table 5: spread, and the means of the extreme words") {
    // Gaps of 1, 2, ..., 120 between 121 places: a place is as far as its smaller gap, so that the
    // distances are 1, 1, 2, 3, ..., 119, 120.
    std::vector<double> places{0};
    for (int gap = 1; gap <= 120; ++gap) {
        places.push_back(places.back() + gap);
    }
    const auto space = test::lineSpace(places);
    const DensityProfile profile = densityProfile(space).value();
    const DensityFigures figures = densityFigures(profile, test::rowsBelow(121));
    CHECK(figures.least == 1.0);
    CHECK(figures.largest == 120.0);
    CHECK(figures.spread() == 120.0);
    CHECK(figures.sparsest.size() == 50);
    CHECK(figures.sparsest.front() == 120);
    CHECK(figures.densest.front() == 0);
    // Means of 71 .. 120 and of 1, 1, 2, ..., 49.
    CHECK(figures.meanOfSparsest == Approx(95.5).epsilon(1e-14));
    CHECK(figures.meanOfDensest == Approx((1.0 + 49.0 * 50.0 / 2.0) / 50.0).epsilon(1e-14));
    CHECK(figures.extremesRatio() == Approx(95.5 / 24.52).epsilon(1e-12));
    CHECK(figures.distances.mean == Approx((1.0 + 120.0 * 121.0 / 2.0) / 121.0).epsilon(1e-6));
    // Of the first ten words alone: 1, 1, 2, ..., 9.
    const DensityFigures few = densityFigures(profile, test::rowsBelow(10));
    CHECK(few.sparsest.size() == 10);
    CHECK(few.largest == 9.0);
    CHECK(few.meanOfSparsest == few.meanOfDensest);
}

TEST_CASE("The least distance is that of different vectors") {
    const auto space = test::lineSpace({5, 5, 8, 5});
    const DensityProfile profile = densityProfile(space).value();
    CHECK(profile.distances == std::vector<double>{3, 3, 3, 3});
    CHECK(densityFigures(profile, test::rowsBelow(4)).least == 3.0);
    const auto equal = test::lineSpace({5, 5});
    CHECK_FALSE(densityProfile(equal));
}
