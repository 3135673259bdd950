#include "core/calibration/summary.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens::calibration;

TEST_CASE("A summary of 0 … 100 in disorder") {
    std::vector<float> values;
    for (int i = 0; i <= 100; ++i) {
        values.push_back(static_cast<float>((i * 37) % 101));
    }
    const Summary summary = summarize(values);
    CHECK(summary.mean == 50.0);
    // Variance of 0..n-1 with divisor n is (n^2 - 1) / 12.
    CHECK(summary.sd == Approx(std::sqrt((101.0 * 101.0 - 1.0) / 12.0)).epsilon(1e-14));
    CHECK(summary.min == 0.0);
    CHECK(summary.max == 100.0);
    for (const int percent : {1, 5, 25, 50, 75, 95, 99}) {
        CHECK(summary.percentile(percent) == Approx(percent).epsilon(1e-12));
    }
    CHECK_FALSE(summary.ci95);
}

TEST_CASE("A summary of one value") {
    const std::vector<float> values{7.0F};
    const Summary summary = summarize(values);
    CHECK(summary.mean == 7.0);
    CHECK(summary.sd == 0.0);
    CHECK(summary.p5 == 7.0);
    CHECK(summary.max == 7.0);
}
