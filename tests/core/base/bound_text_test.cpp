#include "core/base/bound_text.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "core/base/numbers.h"

using namespace epsilens;

TEST_CASE("Bounds are rounded to their safe side") {
    CHECK(formatAtMost(164.02, 3) == "165");
    CHECK(formatAtMost(164.0, 3) == "164");
    CHECK(formatAtMost(1.1, 3) == "1.10");  // 1.1 * 100 is above 110 in double
    CHECK(formatAtMost(9.991, 3) == "10.0");
    CHECK(formatAtMost(0.0012341, 4) == "0.001235");
    CHECK(formatAtMost(1.00001e12, 3) == "1.01e+12");
    CHECK(formatAtMost(-2.349, 2) == "-2.3");
    CHECK(formatAtMost(0, 3) == "0");
    CHECK(formatAtMost(std::numeric_limits<double>::infinity(), 3) == "inf");
    CHECK(formatAtLeast(1.3869, 4) == "1.386");
    CHECK(formatAtLeast(10.0, 3) == "10.0");
    CHECK(formatAtLeast(0, 3) == "0");
    CHECK(formatAtLeast(-2.31, 2) == "-2.4");
    double value = 1e-6;
    for (int i = 0; i < 78; ++i) {  // up to about 1e12
        value *= 1.7;
        CAPTURE(value);
        CHECK(parseNumber(formatAtMost(value, 3), "").value() >= value);
        CHECK(parseNumber(formatAtMost(value, 3), "").value() < value * 1.011);
        CHECK(parseNumber(formatAtLeast(value, 3), "").value() <= value);
        CHECK(parseNumber(formatAtLeast(value, 3), "").value() > value / 1.011);
    }
}

TEST_CASE("Numbers are rounded up to significant digits") {
    CHECK(roundedUp(1.24245, 4) == 1.243);
    CHECK(roundedUp(6.33333, 4) == 6.334);
    CHECK(roundedUp(1.25, 4) == 1.25);
    CHECK(roundedUp(9.9991, 4) == 10.0);
    CHECK(roundedUp(164.02, 3) == 165.0);
    CHECK(roundedUp(22026.5, 3) == 22100.0);
    CHECK(roundedUp(0.1, 1) == 0.1);
    CHECK(roundedUp(1.0000000001e-7, 2) == 1.1e-7);
    CHECK(roundedUp(-1.2426, 4) == -1.242);
    CHECK(roundedUp(0, 3) == 0);
    CHECK(std::isinf(roundedUp(std::numeric_limits<double>::infinity(), 3)));
    CHECK(std::isnan(roundedUp(std::nan(""), 3)));
    // Nothing of three digits lies between it and infinity.
    CHECK(roundedUp(std::numeric_limits<double>::max(), 3) >= 1.79e308);
}

TEST_CASE("A number that is rounded up is the least of its digits not below it") {
    double value = 1.3e-9;
    for (int i = 0; i < 400; ++i) {
        value *= 1.1374;
        const double up = roundedUp(value, 4);
        CAPTURE(value);
        CHECK(up >= value);
        CHECK(up <= value * 1.001001);
        CHECK(formatSignificant(up, 4) == formatSignificant(up * (1 - 1e-12), 4));
        CHECK(roundedUp(up, 4) == up);
    }
}
