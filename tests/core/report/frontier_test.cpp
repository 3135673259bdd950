#include "core/report/frontier.h"

#include <optional>

#include <catch2/catch.hpp>

using namespace epsilens;
using document::StoredCondition;
using report::isSameFamily;

namespace {

StoredCondition at(double epsilon, std::optional<double> lambda, std::optional<double> gamma = {},
                   std::optional<double> beta = {}) {
    StoredCondition condition;
    condition.setting = {epsilon, lambda, gamma, beta};
    return condition;
}

}  // namespace

TEST_CASE("A line of the frontier joins settings that differ in epsilon alone") {
    CHECK(isSameFamily(at(2, 0.5), at(8, 0.5)));
    CHECK_FALSE(isSameFamily(at(2, 0.5), at(8, 0.75)));
    CHECK(isSameFamily(at(2, {}, 3.0), at(8, {}, 3.0)));
    CHECK_FALSE(isSameFamily(at(2, {}, 3.0), at(8, {}, 5.0)));
    // A radius that follows from beta moves with epsilon.
    CHECK(isSameFamily(at(2, {}, 20.0, 0.1), at(8, {}, 5.0, 0.1)));
    CHECK_FALSE(isSameFamily(at(2, {}, 20.0, 0.1), at(8, {}, 5.0, 0.2)));
}
