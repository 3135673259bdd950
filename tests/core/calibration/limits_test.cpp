#include "core/calibration/limits.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/epsilon_search.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;

// Texts and meanings are those of the documented language of limits:
//   STAT.AGG OP VALUE[%], % for nw, sw and shares only.

namespace {

/// Values counted up by hand, each different, so that a mix-up shows.
calibration::Summary counting(double first) {
    calibration::Summary summary;
    summary.mean = first;
    summary.min = first + 1;
    summary.p1 = first + 2;
    summary.p5 = first + 3;
    summary.p25 = first + 4;
    summary.p50 = first + 5;
    summary.p75 = first + 6;
    summary.p95 = first + 7;
    summary.p99 = first + 8;
    summary.max = first + 9;
    return summary;
}

Cell exampleCell() {
    Cell cell;
    cell.nw = counting(10);
    cell.sw = counting(30);
    cell.minEntropy = counting(50);
    cell.shannonEntropy = counting(70);
    cell.kw = counting(90);
    cell.kept = 0.25;
    cell.near = 0.125;
    cell.far = 0.625;
    cell.meanDistance = 2.5;
    cell.meanCosine = 0.375;
    return cell;
}

}  // namespace

TEST_CASE("A limit is read into its parts") {
    CHECK(parseLimit("nw.p95<=50%").value() ==
          Limit{LimitStatistic::nw, LimitAggregate::p95, LimitRelation::atMost, 50.0, true});
    CHECK(parseLimit("  sw.p5 >= 20 ").value() ==
          Limit{LimitStatistic::sw, LimitAggregate::p5, LimitRelation::atLeast, 20.0, false});
    CHECK(parseLimit("shannonEntropy.mean\t>=\t4.5").value() ==
          Limit{LimitStatistic::shannonEntropy, LimitAggregate::mean, LimitRelation::atLeast, 4.5,
                false});
    CHECK(parseLimit("far.mean<=12.5 %").value() ==
          Limit{LimitStatistic::far, LimitAggregate::mean, LimitRelation::atMost, 12.5, true});
    CHECK(parseLimit("kept.max<=0.5").value() ==
          Limit{LimitStatistic::kept, LimitAggregate::max, LimitRelation::atMost, 0.5, false});
}

TEST_CASE("Every limit survives being written and read") {
    int read = 0;
    for (const char* statistic : {"nw", "sw", "kept", "near", "far", "minEntropy", "shannonEntropy",
                                  "kw", "meanDistance", "meanCosine"}) {
        for (const char* aggregate :
             {"mean", "min", "max", "p1", "p5", "p25", "p50", "p75", "p95", "p99"}) {
            for (const char* rest : {"<=0.1", ">=1", "<=33.3%", ">=0%"}) {
                const std::string text = std::string(statistic) + "." + aggregate + rest;
                if (const auto limit = parseLimit(text)) {
                    ++read;
                    CHECK(limitText(*limit) == text);
                    CHECK(parseLimit(limitText(*limit)).value() == *limit);
                }
            }
        }
    }
    // Of nw, sw and kept all, of near and far the mean, of entropies and kw what has no percent, of
    // distance and cosine the mean without percent.
    CHECK(read == 3 * 10 * 4 + 2 * 4 + 3 * 10 * 2 + 2 * 2);
    CHECK(limitText(parseLimit(" nw.p95  <= 50.0 % ").value()) == "nw.p95<=50%");
}

TEST_CASE("What is no limit is refused with what is allowed") {
    const std::vector<std::pair<const char*, const char*>> refused{
        {"", "nw.p95<=50%"},
        {"nw.p95", "<=VALUE or >="},
        {"nw.p95<50%", "<=VALUE or >="},
        {"nw.p95=50%", "<=VALUE or >="},
        {"nw.p95==50", "<=VALUE or >="},
        {"nw<=50", "mean, min, max, p1"},
        {"nw.p90<=50", "p75, p95, p99"},
        {"nw.worst<=50", "mean, min, max"},
        {"N_w.mean<=50", "nw, sw, kept"},
        {"nw.mean<=", "not a number"},
        {"nw.mean<=%", "not a number"},
        {"nw.mean<=half", "not a number"},
        {"nw.mean<=nan", ""},
        {"nw.mean<=inf", ""},
        {"nw.mean<=-1", "below 0"},
        {"nw.mean<=101%", "0 to 100"},
        {"kept.mean<=40", "a share is 0 to 1"},
        {"near.p95<=10%", "only near.mean exists"},
        {"far.max<=10%", "only far.mean exists"},
        {"minEntropy.mean>=50%", "the number alone"},
        {"kw.min>=50%", "the number alone"},
        {"meanDistance.p95<=3", "only meanDistance.mean exists"},
        {"meanDistance.mean>=5%", "the number alone"},
        {"nw.p95<=50%%", "not a number"},
        {"nw.p95<=0,5", "write 0.5"},
    };
    for (const auto& [text, part] : refused) {
        CAPTURE(text);
        const Error error = test::checkRefused(parseLimit(text), ErrorCode::invalidArgument, part);
        CHECK_THAT(error.message, Contains("limit \"" + std::string(text) + "\""));
    }
}

TEST_CASE("A limit takes its value from the place it names") {
    const std::vector<std::pair<const char*, double>> expected{{"nw.mean", 10},
                                                               {"nw.min", 11},
                                                               {"nw.p1", 12},
                                                               {"nw.p5", 13},
                                                               {"nw.p25", 14},
                                                               {"nw.p50", 15},
                                                               {"nw.p75", 16},
                                                               {"nw.p95", 17},
                                                               {"nw.p99", 18},
                                                               {"nw.max", 19},
                                                               {"sw.p5", 33},
                                                               {"minEntropy.min", 51},
                                                               {"kw.mean", 90},
                                                               {"shannonEntropy.max", 79},
                                                               {"kept.mean", 0.25},
                                                               {"near.mean", 0.125},
                                                               {"far.mean", 0.625},
                                                               {"kept.p95", 17.0 / 200},
                                                               {"meanDistance.mean", 2.5},
                                                               {"meanCosine.mean", 0.375}};
    for (const auto& [place, value] : expected) {
        CAPTURE(place);
        const Limit limit = parseLimit(std::string(place) + "<=1").value();
        CHECK(checkLimit(limit, exampleCell(), 200).value().value == value);
    }
}

TEST_CASE("Margins are in the unit of the statistic and never negative when the limit is met") {
    const Cell cell = exampleCell();
    const auto check = [&](const std::string& text, int draws) {
        return checkLimit(parseLimit(text).value(), cell, draws).value();
    };
    // p95 of N_w is 17 of 20 draws: 85%.
    const LimitCheck beyond = check("nw.p95<=50%", 20);
    CHECK_FALSE(beyond.met());
    CHECK(beyond.bound == 10);
    CHECK(beyond.margin == -7);
    const LimitCheck within = check("nw.p95<=50%", 40);
    CHECK(within.met());
    CHECK(within.margin == 3);
    CHECK(check("sw.p5>=20", 40).margin == 13);
    CHECK(check("sw.p5>=34", 40).margin == -1);
    CHECK(check("far.mean<=60%", 40).margin == Approx(-0.025).epsilon(1e-12));
    // Exactly at the bound is within it, in percent too: 17 of 100 draws is 17%.
    CHECK(check("nw.p95<=17%", 100).met());
    CHECK(check("nw.p95>=17%", 100).met());
    CHECK(check("sw.p75>=36", 100).margin == 0.0);
    for (int percent = 0; percent <= 100; ++percent) {
        Cell exact;
        exact.nw.mean = percent;
        const Limit limit{LimitStatistic::nw, LimitAggregate::mean, LimitRelation::atLeast,
                          static_cast<double>(percent), true};
        CHECK(checkLimit(limit, exact, 100)->met());
    }
}

TEST_CASE("A limit on what a run did not measure is refused, a value that is no number not met") {
    Cell cell = exampleCell();
    cell.kw.reset();
    test::checkRefused(checkLimit(parseLimit("kw.min>=2").value(), cell, 100),
                       ErrorCode::unsupported, "independent draws");
    CHECK_FALSE(checkLimits({parseLimit("nw.mean<=50").value(), parseLimit("kw.min>=2").value()},
                            cell, 100));
    cell.meanCosine.reset();
    test::checkRefused(checkLimit(parseLimit("meanCosine.mean>=0.5").value(), cell, 100),
                       ErrorCode::unsupported, "zero vectors");
    cell.nw.mean = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(checkLimit(parseLimit("nw.mean<=50").value(), cell, 100)->met());
    CHECK_FALSE(checkLimit(parseLimit("nw.mean>=50").value(), cell, 100)->met());
}

TEST_CASE("A value to match is the limit that a setting just meets there") {
    const Limit rising = parseMatch(" nw.max = 29.7% ").value();
    CHECK(rising == parseLimit("nw.max<=29.7%").value());
    CHECK(matchText(rising) == "nw.max=29.7%");
    CHECK(parseMatch("kept.mean=0.2").value().relation == LimitRelation::atMost);
    CHECK(parseMatch("meanCosine.mean=0.5").value().relation == LimitRelation::atMost);
    for (const char* text :
         {"sw.p5=20", "far.mean=60%", "minEntropy.mean=2", "kw.min=3", "meanDistance.mean=2"}) {
        CHECK(parseMatch(text).value().relation == LimitRelation::atLeast);
        CHECK(matchText(parseMatch(text).value()) == text);
    }
    CHECK_THAT(parseMatch("nw.max<=29.7%").error().message, Contains("nw.max=29.7%"));
    CHECK_THAT(parseMatch("near.mean=20%").error().message, Contains("falls again"));
    for (const char* text : {"", "=", "nw.max", "nw.max=", "nw=5", "nw.max=101%", "nw.max=x"}) {
        CHECK_FALSE(parseMatch(text).has_value());
    }
}

namespace {

constexpr int kSearchDraws = 100;

using Function = double (*)(double epsilon);

/// N_w and S_w of all words alike as known functions of epsilon; what is not kept is far.
struct KnownStatistics {
    KnownStatistics(Function nw, Function sw, double origin, EpsilonSpan searched) {
        source.origin = origin;
        source.searched = searched;
        source.farFalls = true;
        source.tolerance = 1e-10;
        source.draws = kSearchDraws;
        source.words = 10;
        source.cells = [this, nw, sw](std::span<const double> epsilons) {
            std::vector<Cell> cells;
            for (const double epsilon : epsilons) {
                asked.push_back(epsilon);
                Cell cell;
                cell.epsilon = epsilon;
                cell.nw.mean = nw(epsilon);
                cell.sw.mean = sw(epsilon);
                cell.kept = cell.nw.mean / kSearchDraws;
                cell.far = 1.0 - cell.kept;
                cells.push_back(cell);
            }
            return cells;
        };
    }

    CellSource source{};
    mutable std::vector<double> asked{};
};

double saturating(double epsilon) {
    return kSearchDraws * -std::expm1(-epsilon);
}

double none(double) {
    return 0.0;
}

EpsilonFound search(const KnownStatistics& statistics, std::initializer_list<const char*> limits) {
    return findLargestEpsilon(statistics.source, test::limitsOf(limits)).value();
}

}  // namespace

TEST_CASE("A limit on N_w is solved for epsilon") {
    // 100 (1 - e^-x) = 75 at x = ln 4; the far share is at least 40% up to e^-x = 0.4.
    KnownStatistics statistics(saturating, none, 0.0, {1e-3, 100.0});
    auto found = search(statistics, {"nw.mean<=75"});
    CHECK(*found.epsilon <= std::log(4.0));
    CHECK(*found.epsilon == Approx(std::log(4.0)).epsilon(1e-5));
    CHECK(*found.above > std::log(4.0));
    CHECK(*found.above == Approx(std::log(4.0)).epsilon(1e-9));
    CHECK(found.binding->margin < 0.0);
    found = search(statistics, {"nw.mean<=75", "far.mean>=0.4"});
    CHECK(*found.epsilon == Approx(-std::log(0.4)).epsilon(1e-5));
    CHECK(found.binding->limit == parseLimit("far.mean>=0.4").value());
    CHECK(found.everywhere);
    CHECK(found.searched == EpsilonSpan{1e-3, 100.0});
}

TEST_CASE("An epsilon that was found has six digits where it stays within the limits") {
    KnownStatistics statistics(saturating, none, 0.0, {1e-3, 100.0});
    CHECK(*search(statistics, {"nw.mean<=75"}).epsilon == 1.38629);  // ln 4 = 1.386294...
    // Limits that leave no room below: the interval itself, nothing shorter.
    const double low = 1.38629411;
    statistics.source.searched = {low, 1.5};
    const auto narrow = search(statistics, {"nw.mean<=75"});
    CHECK(*narrow.epsilon >= low);
    CHECK(*narrow.epsilon <= std::log(4.0));
}

TEST_CASE("Epsilon is measured from where the noise begins to exist") {
    // Riemannian noise in 10 dimensions: the excess over 9 counts.
    KnownStatistics statistics([](double epsilon) { return saturating(epsilon - 9.0); }, none, 9.0,
                               {9.0 + 1e-6, 1e3});
    const auto found = search(statistics, {"nw.mean<=0.1%"});
    CHECK(*found.epsilon == Approx(9.0 - std::log1p(-0.001)).epsilon(1e-6));
    CHECK(*found.epsilon > 9.0);
    for (const double epsilon : statistics.asked) {
        CHECK(epsilon > 9.0);
    }
}

TEST_CASE("A search ends where it is told to") {
    const KnownStatistics fixed(saturating, none, 0.0, {2.0, 3.0});
    CHECK_FALSE(search(fixed, {"nw.mean<=0.1"}).epsilon);
    CHECK(search(fixed, {"nw.mean<=0.1"}).closest == 2.0);
    CHECK(search(fixed, {"nw.mean<=0.1"}).everywhere);
    CHECK(*search(fixed, {"nw.mean<=99.9"}).epsilon == 3.0);
    CHECK_FALSE(search(fixed, {"nw.mean<=99.9"}).above);
    CHECK(widened({2.0, 3.0}, 1.0, 10.0) == EpsilonSpan{1.1, 21.0});
    CHECK(spread({9.3, 0.7}, 0.1, 2) == std::vector{9.3, 0.7});
}

TEST_CASE("A maximum between the steps of a scan is found") {
    // A hump of width 0.2% around e^x = 0.855, far narrower than a step of 10%; nothing else is
    // within the limit. A broader rise leads to it.
    const auto narrow = [](double epsilon) {
        const double away = std::log(epsilon / 0.855);
        return 60.0 / (1.0 + std::fabs(away)) + 30.0 * std::exp(-away * away * 1e6);
    };
    const KnownStatistics statistics(saturating, narrow, 0.0, {1e-3, 1e3});
    const auto found = search(statistics, {"sw.mean>=80"});
    REQUIRE(found.epsilon);
    CHECK(*found.epsilon == Approx(0.855).epsilon(2e-3));
    CHECK(narrow(*found.epsilon) >= 80.0);
    CHECK(narrow(*found.above) < 80.0);
    CHECK_FALSE(found.everywhere);
    CHECK(found.looked > 6 * kStepsPerDecade);
    const auto missed = search(statistics, {"sw.mean>=91"});
    CHECK_FALSE(missed.epsilon);
    // The maximum is 90.
    CHECK(missed.binding->margin == Approx(-1.0).margin(0.05));
    CHECK(missed.closest == Approx(0.855).epsilon(1e-3));
}

TEST_CASE("What is found by estimates is made exact") {
    // The estimate is wrong by 1%; what it narrows down is bisected, whatever the limit is on.
    const double end = std::log(4.0);
    KnownStatistics exact(none, saturating, 0.0, {0.99 * end, 1.03 * end});
    exact.source.isNarrow = true;
    const auto found = search(exact, {"sw.mean<=75"});
    CHECK(*found.epsilon == 1.38629);
    CHECK(*found.above == Approx(end).epsilon(1e-9));
    CHECK(exact.asked.size() < 100);
    exact.source.searched = {1.009 * end, 1.012 * end};
    CHECK_FALSE(search(exact, {"sw.mean<=75"}).epsilon);
    CHECK(search(exact, {"sw.mean<=75"}).binding->margin < 0.0);
    exact.source.searched = {0.98 * end, 0.99 * end};
    CHECK(search(exact, {"sw.mean<=75"}).epsilon == 0.99 * end);
}

TEST_CASE("Where a statistic rises and falls again the uppermost stretch is found") {
    // S_w = 40 at x = 2 and falls on both sides: at least 30 for |ln(x/2)| <= 0.5, and again around
    // x = 0.1, which must not be taken.
    const auto humps = [](double epsilon) {
        const double upper = std::log(epsilon / 2.0);
        const double lower = std::log(epsilon / 0.1);
        return 40.0 * std::exp(-1.1507282898 * upper * upper) +
               40.0 * std::exp(-1.1507282898 * lower * lower);
    };
    KnownStatistics statistics(saturating, humps, 0.0, {1e-4, 1e3});
    // exp(-1.15073 / 4) = 3/4.
    const double end = 2.0 * std::exp(0.5);
    const auto found = search(statistics, {"sw.mean>=30"});
    CHECK(*found.epsilon == Approx(end).epsilon(1e-4));
    CHECK(humps(*found.epsilon) >= 30.0);
    CHECK(humps(*found.above) < 30.0);
    // A limit on N_w below the hump: its own end binds.
    const auto both = search(statistics, {"nw.mean<=90", "sw.mean>=30"});
    CHECK(*both.epsilon == Approx(std::log(10.0)).epsilon(1e-5));
    CHECK(both.binding->limit == parseLimit("nw.mean<=90").value());
    // One below its lower end, x = 1.21: only the lower hump is left.
    const auto lower = search(statistics, {"nw.mean<=60", "sw.mean>=30"});
    CHECK(*lower.epsilon == Approx(0.1 * std::exp(0.5)).epsilon(1e-2));
}

TEST_CASE("A lower limit on N_w is met or missed at the top, never sought below") {
    KnownStatistics statistics(saturating, none, 0.0, {1e-3, 100.0});
    const auto found = search(statistics, {"nw.mean<=75", "nw.mean>=50"});
    CHECK(*found.epsilon == Approx(std::log(4.0)).epsilon(1e-5));
    const auto missed = search(statistics, {"nw.mean<=50", "nw.mean>=75"});
    CHECK_FALSE(missed.epsilon);
    CHECK(missed.binding->limit == parseLimit("nw.mean>=75").value());
    CHECK(missed.binding->margin == Approx(-25.0).epsilon(1e-3));
    CHECK(missed.closest == Approx(std::log(2.0)).epsilon(1e-5));
}

TEST_CASE("What has no order in epsilon is scanned") {
    KnownStatistics statistics(saturating, saturating, 0.0, {1e-3, 100.0});
    const auto found = search(statistics, {"sw.mean<=75"});
    CHECK(*found.epsilon == Approx(std::log(4.0)).epsilon(1e-5));
    CHECK_FALSE(found.everywhere);
    // Even steps of the logarithm, kStepsPerDecade for each factor of 10.
    for (std::size_t i = 1; i < 40; ++i) {
        CHECK(statistics.asked[i - 1] / statistics.asked[i] ==
              Approx(std::pow(10.0, 1.0 / kStepsPerDecade)).epsilon(1e-9));
    }
}

TEST_CASE("A stopped search fails with cancelled") {
    KnownStatistics statistics(saturating, none, 0.0, {1e-3, 100.0});
    test::checkRefused(
        findLargestEpsilon(statistics.source, test::limitsOf({"nw.mean<=75"}), test::stoppedJob()),
        ErrorCode::cancelled);
}

TEST_CASE("What is missed by most is a share of what the statistic can be") {
    Cell cell;
    cell.nw.mean = 60.0;
    cell.sw.mean = 20.0;
    cell.far = 0.5;
    cell.kw = calibration::Summary{};
    cell.kw->mean = 8.0;
    cell.minEntropy.mean = 1.0;
    const auto worst = [&](std::initializer_list<const char*> texts) {
        const auto checks = checkLimits(test::limitsOf(texts), cell, 64).value();
        return limitText(mostMissed(checks, 64, 10).value().limit);
    };
    // 10 of 64 draws are less than 0.2 of 1; 1 of 10 words is less; 2 of 6 bits are more.
    CHECK(worst({"nw.mean<=50", "far.mean<=0.3"}) == "far.mean<=0.3");
    CHECK(worst({"nw.mean<=50", "kw.mean>=9"}) == "nw.mean<=50");
    // 10 of 64 draws are more than 5 of 64, and 2 of 6 bits more than 20 of 64.
    CHECK(worst({"nw.mean<=50", "sw.mean>=25"}) == "nw.mean<=50");
    CHECK(worst({"sw.mean>=40", "minEntropy.mean>=3"}) == "minEntropy.mean>=3");
    CHECK(worst({"far.mean<=0.3", "minEntropy.mean>=3"}) == "minEntropy.mean>=3");
    CHECK_FALSE(mostMissed(checkLimits(test::limitsOf({"nw.mean<=60"}), cell, 64).value(), 64, 10));
}
