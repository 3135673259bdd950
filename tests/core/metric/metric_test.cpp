#include "core/metric/metric.h"

#include <catch2/catch.hpp>

using namespace epsilens;
using metric::Metric;

TEST_CASE("Every metric is found by its key, other texts are refused with the list") {
    for (const Metric metric :
         {Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare}) {
        CHECK(metric::parseMetric(metric::metricKey(metric)).value() == metric);
        CHECK_FALSE(metric::metricName(metric).empty());
    }
    for (const char* text : {"", "cosine", "Euclidean", "euclidean ", "poincaré"}) {
        const auto refused = metric::parseMetric(text);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::invalidArgument);
        CHECK_THAT(refused.error().message,
                   Catch::Contains("euclidean, mahalanobis, angular, poincare"));
    }
}
