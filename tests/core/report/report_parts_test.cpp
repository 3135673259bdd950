#include "core/report/report_parts.h"

#include <cmath>
#include <optional>

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("Numbers of a report are whole or have four significant digits") {
    CHECK(report::shownNumber(41) == "41");
    CHECK(report::shownNumber(2003.25) == "2003");
    CHECK(report::shownNumber(0.0312345) == "0.03123");
    CHECK(report::shownNumber(std::optional<double>()) == "–");
    CHECK(report::shownNumber(std::nan("")) == "–");
    CHECK(report::shownShare(0.4567) == "45.7%");
}
