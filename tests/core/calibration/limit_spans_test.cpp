#include "core/calibration/limit_spans.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

MeasurementHandle measured(const mechanism::Mechanism& kind) {
    const auto space = test::toySpace(70, 4, 311);
    MeasurementOptions options;
    options.mechanism = kind;
    options.words.kind = WordSelection::Kind::all;
    options.draws = 40;
    options.nearNeighbours = 6;
    return measure(space, options).value();
}

}  // namespace

TEST_CASE("A limit on kept words is missed from the largest epsilon within it on") {
    const auto measurement = measured(GENERATE(mechanism::Mechanism(mechanism::Mahalanobis{0.5}),
                                               mechanism::Mechanism(mechanism::Tem{})));
    const auto limits = test::limitsOf({"nw.p95<=50%"});
    const LimitSpans spans = limitSpans(*measurement, limits, measurement->shown()).value();
    REQUIRE(spans.outside.size() == 1);
    CHECK(spans.outside.front().low >= *spans.largest.epsilon);
    if (measurement->knowledge() == EpsilonKnowledge::steps) {
        CHECK(spans.outside.front().low == *spans.largest.epsilon);
    }
    // As far as the axis can be moved.
    CHECK(spans.outside.front().high == Approx(1e4 * measurement->shown().high));
}

TEST_CASE("Every epsilon outside misses a limit, and every other one meets them") {
    const auto measurement = measured(mechanism::Mahalanobis{0.5});
    // Two limits that leave a span between them: words vary enough, and enough of them survive.
    const auto limits = test::limitsOf({"sw.mean>=5", "kept.mean>=10%"});
    const EpsilonSpan shown = measurement->shown();
    const LimitSpans spans = limitSpans(*measurement, limits, shown).value();
    REQUIRE(spans.outside.size() == 2);
    // Borders are known to half the way between two points.
    constexpr double kBetween = 1.05;
    constexpr int kSteps = 1000;
    for (int step = 0; step < kSteps; ++step) {
        const double epsilon =
            shown.low * std::pow(50.0 * shown.high / shown.low, static_cast<double>(step) / kSteps);
        const bool isOutside =
            std::any_of(spans.outside.begin(), spans.outside.end(), [&](const EpsilonSpan& span) {
                return epsilon > span.low * kBetween && epsilon < span.high / kBetween;
            });
        const bool isInside =
            epsilon > spans.outside[0].high * kBetween && epsilon < spans.outside[1].low / kBetween;
        CAPTURE(epsilon);
        CHECK((!isOutside || !allMet(measurement->check(limits, epsilon).value())));
        CHECK((!isInside || allMet(measurement->check(limits, epsilon).value())));
    }
}

TEST_CASE("What no epsilon meets is outside everywhere, and a search can be stopped") {
    const auto measurement = measured(mechanism::Laplace{});
    const auto limits = test::limitsOf({"sw.mean>=71"});
    const EpsilonSpan shown = measurement->shown();
    const LimitSpans spans = limitSpans(*measurement, limits, shown).value();
    CHECK_FALSE(spans.largest.epsilon);
    REQUIRE(spans.outside.size() == 1);
    CHECK(spans.outside.front().low == Approx(1e-4 * shown.low));
    CHECK(spans.outside.front().high == Approx(1e4 * shown.high));
    CHECK(limitSpans(*measurement, limits, shown, test::stoppedJob()).error().code ==
          ErrorCode::cancelled);
}
