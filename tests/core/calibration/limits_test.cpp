#include "core/calibration/limits.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

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
    for (const char* statistic :
         {"nw", "sw", "kept", "near", "far", "minEntropy", "shannonEntropy", "kw"}) {
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
    // Of nw, sw and kept all, of near and far the mean, of entropies and kw what has no percent.
    CHECK(read == 3 * 10 * 4 + 2 * 4 + 3 * 10 * 2);
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
        {"minEntropy.mean>=50%", "bits"},
        {"kw.min>=50%", "words"},
        {"nw.p95<=50%%", "not a number"},
        {"nw.p95<=0,5", "write 0.5"},
    };
    for (const auto& [text, part] : refused) {
        CAPTURE(text);
        const auto limit = parseLimit(text);
        REQUIRE_FALSE(limit);
        CHECK(limit.error().code == ErrorCode::invalidArgument);
        CHECK_THAT(limit.error().message,
                   Contains("limit \"" + std::string(text) + "\"") && Contains(part));
    }
}

TEST_CASE("A limit takes its value from the place it names") {
    const std::vector<std::pair<const char*, double>> expected{
        {"nw.mean", 10},     {"nw.min", 11},
        {"nw.p1", 12},       {"nw.p5", 13},
        {"nw.p25", 14},      {"nw.p50", 15},
        {"nw.p75", 16},      {"nw.p95", 17},
        {"nw.p99", 18},      {"nw.max", 19},
        {"sw.p5", 33},       {"minEntropy.min", 51},
        {"kw.mean", 90},     {"shannonEntropy.max", 79},
        {"kept.mean", 0.25}, {"near.mean", 0.125},
        {"far.mean", 0.625}, {"kept.p95", 17.0 / 200}};
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
    const auto missing = checkLimit(parseLimit("kw.min>=2").value(), cell, 100);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ErrorCode::unsupported);
    CHECK_THAT(missing.error().message, Contains("independent draws"));
    CHECK_FALSE(checkLimits({parseLimit("nw.mean<=50").value(), parseLimit("kw.min>=2").value()},
                            cell, 100));
    cell.nw.mean = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(checkLimit(parseLimit("nw.mean<=50").value(), cell, 100)->met());
    CHECK_FALSE(checkLimit(parseLimit("nw.mean>=50").value(), cell, 100)->met());
}

TEST_CASE("A value to match is the limit that a setting just meets there") {
    const Limit rising = parseMatch(" nw.max = 29.7% ").value();
    CHECK(rising == parseLimit("nw.max<=29.7%").value());
    CHECK(matchText(rising) == "nw.max=29.7%");
    CHECK(parseMatch("kept.mean=0.2").value().relation == LimitRelation::atMost);
    for (const char* text : {"sw.p5=20", "far.mean=60%", "minEntropy.mean=2", "kw.min=3"}) {
        CHECK(parseMatch(text).value().relation == LimitRelation::atLeast);
        CHECK(matchText(parseMatch(text).value()) == text);
    }
    CHECK_THAT(parseMatch("nw.max<=29.7%").error().message, Contains("nw.max=29.7%"));
    CHECK_THAT(parseMatch("near.mean=20%").error().message, Contains("falls again"));
    for (const char* text : {"", "=", "nw.max", "nw.max=", "nw=5", "nw.max=101%", "nw.max=x"}) {
        CHECK_FALSE(parseMatch(text).has_value());
    }
}
