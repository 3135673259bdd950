#include "core/report/memo_words.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("What is unknown and what is known add up to 100 in whole percent") {
    // 275 of 1,000 words: half a percent is rounded up, and what is known is 72.
    CHECK(report::percentUnknown(0.275) == 28);
    CHECK(report::percentUnknown(0.274) == 27);
    CHECK(report::percentUnknown(1.0 - 0.725) == 28);
    CHECK(report::percentUnknown(0.0) == 0);
    CHECK(report::percentUnknown(0.004) == 0);
    CHECK(report::percentUnknown(1.0) == 100);
}

TEST_CASE("Shares as whole numbers add up to a hundred, and none is off by one") {
    for (int kept = 0; kept <= 1000; kept += 7) {
        for (int near = 0; near <= 1000 - kept; near += 13) {
            const double far = (1000 - kept - near) / 1000.0;
            const report::Hundredths whole =
                report::hundredthsOf(kept / 1000.0, near / 1000.0, far);
            CAPTURE(kept, near);
            REQUIRE(whole.kept + whole.near + whole.far == 100);
            REQUIRE(std::abs(whole.kept - kept / 10.0) <= 0.5 + 1e-9);
            REQUIRE(std::abs(whole.near - near / 10.0) < 1.0);
            REQUIRE(std::abs(whole.far - 100.0 * far) < 1.0);
        }
    }
    CHECK(report::hundredthsOf(1.0, 0.0, 0.0).kept == 100);
    // "11 of 100 words survive" stood beside "a word is kept 12 times of 100 on average".
    CHECK(report::hundredthsOf(0.116, 0.187, 0.697).kept == 12);
    CHECK(report::countWords(11.6, std::array{9.0, 14.0}, 0.0, 100.0).value == "12");
}

TEST_CASE("Counts have the digits of their intervals, and stay within their bounds") {
    const auto said = [](double value, double low, double high) {
        const report::CountWords count =
            report::countWords(value, std::array{low, high}, 0.0, 100.0);
        return count.value + " (" + count.low + " to " + count.high + ")";
    };
    CHECK(said(95.4, 90.0, 101.0) == "95 (90 to 100)");
    CHECK(said(2.34, -0.5, 5.2) == "2 (0 to 5)");
    CHECK(said(10.04, 9.5, 10.6) == "10.0 (9.5 to 10.6)");
    CHECK(said(100.0, 100.0, 100.0) == "100 (100 to 100)");
    CHECK(report::countWords(28.0, std::nullopt, 0.0, 100.0).value == "28.0");
}

TEST_CASE("What rounds to none or all says that it is neither") {
    CHECK(report::outOf100(34, 0.336) == "34 of 100");
    CHECK(report::outOf100(0, 0.001) == "fewer than 1 of 100");
    CHECK(report::outOf100(0, 0.0) == "0 of 100");
    CHECK(report::outOf100(100, 0.999) == "more than 99 of 100");
}
