#include "core/calibration/trial_runs.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::WithinRel;
using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;

namespace {

// A run whose parts take 5, 3, 0.5 and 0.25 seconds.
double truth(std::int64_t words, std::int64_t draws) {
    const auto w = static_cast<double>(words);
    const auto d = static_cast<double>(draws);
    return 5.0 + 3.0 * w + 0.5 * d + 0.25 * w * d;
}

RunRates ratesOfSizes(const RunSize& least, const RunSize& most) {
    return ratesOf({least, truth(least.words, least.draws)}, truth(most.words, least.draws),
                   truth(least.words, most.draws), {most, truth(most.words, most.draws)});
}

}  // namespace

TEST_CASE("Four small runs tell what the parts of a run take") {
    const RunRates rates = ratesOfSizes({8, 2}, {64, 16});
    CHECK_THAT(rates.once, WithinRel(5.0, 1e-12));
    CHECK_THAT(rates.perWord, WithinRel(3.0, 1e-12));
    CHECK_THAT(rates.perDraw, WithinRel(0.5, 1e-12));
    CHECK_THAT(rates.perWordAndDraw, WithinRel(0.25, 1e-12));
    CHECK_THAT(rates.seconds({1000, 100}, 1), WithinRel(truth(1000, 100), 1e-12));
    // The draws are prepared four times: three times 100 draws more.
    CHECK_THAT(rates.seconds({1000, 100}, 4), WithinRel(truth(1000, 100) + 150.0, 1e-12));
}

TEST_CASE("Small runs of one size leave all their time in the part that is spent once") {
    const RunRates rates = ratesOfSizes({1, 1}, {1, 1});
    CHECK(rates.once == truth(1, 1));
    CHECK(rates.seconds({500, 100}, 7) == truth(1, 1));
    const RunRates words = ratesOfSizes({1, 1}, {64, 1});
    CHECK_THAT(words.perWord, WithinRel(3.25, 1e-12));
    CHECK(words.perWordAndDraw == 0.0);
}

TEST_CASE("A rate that disturbed runs make negative is 0") {
    const RunRates rates = ratesOf({{8, 2}, 10.0}, 9.0, 8.0, {{64, 16}, 3.0});
    CHECK(rates.perWord == 0.0);
    CHECK(rates.perDraw == 0.0);
    CHECK(rates.perWordAndDraw == 0.0);
    CHECK(rates.once == 10.0);
}

TEST_CASE("Rates are measured by small runs, the first of which is not counted") {
    Sizes sizes;
    const TrialRun trial = [&](const RunSize& size) {
        sizes.emplace_back(size.words, size.draws);
        return Result<void>();
    };
    REQUIRE(measureRates(trial, {64, 16}));
    CHECK(sizes ==
          Sizes{{8, 2}, {8, 2}, {8, 2}, {64, 2}, {64, 2}, {8, 16}, {8, 16}, {64, 16}, {64, 16}});
    const auto failed = measureRates(
        [](const RunSize&) -> Result<void> { return fail(ErrorCode::cancelled, "cancelled"); },
        {64, 16});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == ErrorCode::cancelled);
}
