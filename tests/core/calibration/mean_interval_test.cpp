#include "core/calibration/mean_interval.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens::calibration;

// Expected values are worked by hand from the formulas of the header on tiny inputs.

TEST_CASE("Variance of contributions and its jackknife") {
    // Two words, R = 4 draws, kept by (1,1,0,0) and (1,0,0,0): sums (2,1,0,0), mean 0.75,
    // squared deviations 1.5625 + 0.0625 + 0.5625 + 0.5625 = 2.75; divided by 4*3.
    const std::vector<double> sums{2, 1, 0, 0};
    CHECK(contributionVariance(sums) == Approx(2.75 / 12.0).epsilon(1e-15));
    CHECK(jackknifeVariance(sums) == Approx(2.75 * 3.0 / 4.0).epsilon(1e-15));
}

TEST_CASE("Error of the mean share") {
    // n = 2 words of R = 4: shares 0.5 and 0.25, V_mc = 2.75/12/4, f = 0.5.
    // s^2 = 0.03125; v = mean(0.25, 0.1875)/3 = 0.0729166...; c = (2 V_mc - v)/1.
    const std::vector<float> counts{2, 1};
    const double shared = 2.75 / 12.0 / 4.0;
    const double within = (0.25 + 0.1875) / 2.0 / 3.0;
    const double spread = 0.03125 - within + (2.0 * shared - within);
    const MeanError error = shareError(counts, 4, shared, 0.5);
    CHECK(spread < 0.0);  // so the formula's max(0, .) acts
    CHECK(error.sdTrue == 0.0);
    CHECK(error.standardError == Approx(std::sqrt(shared)).epsilon(1e-14));
    // Words far apart: the max(0, .) does not act.
    const std::vector<float> apart{4, 0};
    const double apartSpread = 0.5 - 0.0 + 2.0 * shared;
    const MeanError wide = shareError(apart, 4, shared, 0.5);
    CHECK(wide.sdTrue == Approx(std::sqrt(apartSpread)).epsilon(1e-14));
    CHECK(wide.standardError == Approx(std::sqrt(0.5 * apartSpread / 2.0 + shared)).epsilon(1e-14));
}

TEST_CASE("All words of the vocabulary leave only the shared noise") {
    const std::vector<float> values{5, 9, 13};
    CHECK(jackknifeError(values, 0.04, 1.0) == Approx(0.2).epsilon(1e-14));
    // s^2 = 16, f = 0, n = 3.
    CHECK(jackknifeError(values, 0.0, 0.0) == Approx(std::sqrt(16.0 / 3.0)).epsilon(1e-14));
}
