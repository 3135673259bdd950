#include "core/metric/metric.h"

#include <catch2/catch.hpp>

#include "core/mechanism/kind.h"

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

TEST_CASE("Every mechanism is found by its name; only a Mahalanobis distance has a lambda") {
    using mechanism::Kind;
    for (const Kind kind : {Kind::laplace, Kind::mahalanobis, Kind::tem, Kind::hyperbolic}) {
        CHECK(mechanism::parseKind(mechanism::kindName(kind)).value() == kind);
    }
    CHECK_THAT(mechanism::parseKind("magic").error().message,
               Catch::Contains("laplace, mahalanobis, tem, hyperbolic"));
    CHECK(mechanism::hasLambda(Kind::mahalanobis, Metric::mahalanobis));
    CHECK(mechanism::hasLambda(Kind::tem, Metric::mahalanobis));
    CHECK_FALSE(mechanism::hasLambda(Kind::tem, Metric::angular));
    CHECK_FALSE(mechanism::hasLambda(Kind::laplace, Metric::euclidean));
    CHECK_FALSE(mechanism::hasLambda(Kind::hyperbolic, Metric::poincare));
}
