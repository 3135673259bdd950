#include "core/report/memo_words.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("Shares as whole numbers add up to a hundred, and none is off by one") {
    for (int kept = 0; kept <= 1000; kept += 7) {
        for (int near = 0; near <= 1000 - kept; near += 13) {
            const double far = (1000 - kept - near) / 1000.0;
            const report::Hundredths whole =
                report::hundredthsOf(kept / 1000.0, near / 1000.0, far);
            CAPTURE(kept, near);
            REQUIRE(whole.kept + whole.near + whole.far == 100);
            REQUIRE(std::abs(whole.kept - kept / 10.0) < 1.0);
            REQUIRE(std::abs(whole.near - near / 10.0) < 1.0);
            REQUIRE(std::abs(whole.far - 100.0 * far) < 1.0);
        }
    }
    CHECK(report::hundredthsOf(1.0, 0.0, 0.0).kept == 100);
}
