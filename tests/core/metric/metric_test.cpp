#include "core/metric/metric.h"

#include <catch2/catch.hpp>

#include "tests/support/refusal.h"

using namespace epsilens;
using metric::Metric;

TEST_CASE("Every metric is found by its key, other texts are refused with the list") {
    for (const Metric metric :
         {Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare}) {
        CHECK(metric::parseMetric(metric::metricKey(metric)).value() == metric);
        CHECK_FALSE(metric::metricName(metric).empty());
    }
    for (const char* text : {"", "cosine", "Euclidean", "euclidean ", "poincaré"}) {
        test::checkRefused(metric::parseMetric(text), ErrorCode::invalidArgument,
                           "euclidean, mahalanobis, angular, poincare");
    }
}
