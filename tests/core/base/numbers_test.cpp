#include "core/base/numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("Numbers are read in the C locale and only whole") {
    CHECK(parseNumber("0.5", "lambda").value() == 0.5);
    CHECK(parseNumber(" +1.5e1 ", "epsilon").value() == 15.0);
    for (const char* bad : {"", " ", "1.5x", "+-1", "--1", "nan", "inf", "1e400", "0x10"}) {
        CAPTURE(bad);
        CHECK_FALSE(parseNumber(bad, "epsilon").has_value());
    }
    CHECK(parseNumber("0,5", "lambda").error().message ==
          "lambda: \"0,5\" is not a number; write 0.5");
}

TEST_CASE("Whole numbers with commas between their thousands are told how to be written") {
    const std::pair<const char*, const char*> hints[] = {
        {"1,000", "; write 1000"},
        {" 12,345,678 ", "; write 12345678"},
        {"1,5", ""},
        {"0,500", ""},
        {"1,0000", ""},
        {"1,000,00", ""},
        {"1,000.5", ""},
        {",000", ""},
        {"1000", ""},
        {"", ""},
    };
    for (const auto& [text, hint] : hints) {
        CAPTURE(text);
        CHECK(thousandsHint(text) == hint);
    }
    CHECK(parseInteger("1,000", "draws", 10, 10'000).error().message ==
          "draws: \"1,000\" is not a whole number from 10 to 10000; write 1000");
}

TEST_CASE("Decimal commas are suspected between digits only") {
    CHECK_THAT(decimalCommaHint("0,5"), Catch::Contains("write 0.5"));
    CHECK_THAT(decimalCommaHint("1; 0,5"), Catch::Contains("write 0.5"));
    for (const char* text : {"", ",", "0, 5", "0; 5", "1,", ",1"}) {
        CAPTURE(text);
        CHECK(decimalCommaHint(text).empty());
    }
}

TEST_CASE("Lists take commas, semicolons and ranges") {
    using List = std::vector<double>;
    CHECK(parseList("1,5,10", "epsilon", Spacing::logarithmic).value() == List{1, 5, 10});
    CHECK(parseList("1; 5; 10", "epsilon", Spacing::logarithmic).value() == List{1, 5, 10});
    CHECK(parseList("0..1x5", "lambda", Spacing::linear).value() == List{0, 0.25, 0.5, 0.75, 1});
    // Decimal commas, which would otherwise make five numbers of two.
    const auto commas = parseList("1,5; 2,5", "epsilon", Spacing::logarithmic);
    REQUIRE_FALSE(commas.has_value());
    CHECK_THAT(commas.error().message, Catch::Contains("1.5"));
    const List logarithmic = parseList("1..100x3", "epsilon", Spacing::logarithmic).value();
    CHECK(logarithmic.size() == 3);
    CHECK(logarithmic[1] == Approx(10).epsilon(1e-14));
    CHECK(logarithmic.back() == 100);
    // The fourth roots of 40, and thirds, to six digits; ends stay as they are.
    CHECK(parseList("1..40x5", "epsilon", Spacing::logarithmic).value() ==
          List{1, 2.51487, 6.32456, 15.9054, 40});
    CHECK(parseList("1..0x4", "lambda", Spacing::linear).value() == List{1, 0.666667, 0.333333, 0});
    CHECK(parseList("1.23456789..3x2", "lambda", Spacing::linear).value() == List{1.23456789, 3});
    // No two become one.
    const List close = parseList("1..1.000001x5", "epsilon", Spacing::linear).value();
    CHECK(std::ranges::adjacent_find(close, std::greater_equal<>()) == close.end());
    CHECK(close[1] == Approx(1.00000025).epsilon(1e-14));
    for (const char* bad :
         {"", "1,", ",1", "1..2", "0..1x5", "1..2x0", "1..2x10001", "..x", "1,,2"}) {
        CAPTURE(bad);
        CHECK_FALSE(parseList(bad, "epsilon", Spacing::logarithmic).has_value());
    }
}

// Expected: powers of ten, and the middle of ends that cancel.
TEST_CASE("Ranges whose difference or ratio is no double have finite values") {
    const auto wide = parseList("1e-300..1e300x7", "epsilon", Spacing::logarithmic).value();
    const double expected[] = {1e-300, 1e-200, 1e-100, 1.0, 1e100, 1e200, 1e300};
    for (std::size_t i = 0; i < wide.size(); ++i) {
        CHECK(wide[i] == Approx(expected[i]).epsilon(1e-12));
    }
    const auto falling = parseList("1e300..1e-300x3", "epsilon", Spacing::logarithmic).value();
    CHECK(falling[1] == Approx(1.0).epsilon(1e-12));
    CHECK(parseList("-1e308..1e308x3", "lambda", Spacing::linear).value()[1] == 0.0);
}

TEST_CASE("Numbers for people") {
    CHECK(formatNumber(0.1) == "0.1");
    CHECK(formatSignificant(0.05, 2) == "0.050");
    CHECK(formatSignificant(9.996, 3) == "10.0");
    CHECK(formatSignificant(12345.6, 2) == "12000");
    CHECK(formatSignificant(0, 3) == "0");
    CHECK(formatCount(400000) == "400,000");
    CHECK(formatCount(-1234567) == "-1,234,567");
    CHECK(formatCount(999) == "999");
}

TEST_CASE("Bounds are rounded to their safe side") {
    CHECK(formatAtMost(164.02, 3) == "165");
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
}

TEST_CASE("Numbers are rounded up to significant digits") {
    CHECK(roundedUp(1.24245, 4) == 1.243);
    CHECK(roundedUp(0.1, 1) == 0.1);
    CHECK(roundedUp(1.0000000001e-7, 2) == 1.1e-7);
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
        CHECK(parseNumber(formatAtMost(value, 4), "").value() == up);
        const double down = parseNumber(formatAtLeast(value, 4), "").value();
        CHECK(down <= value);
        CHECK(down > value / 1.0011);
    }
}
