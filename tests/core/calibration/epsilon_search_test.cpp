#include "core/calibration/epsilon_search.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/core/calibration/limits_of.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

constexpr int kSearchDraws = 100;

using Function = double (*)(double epsilon);

/// N_w and S_w of all words alike as known functions of epsilon; what is not kept is far.
struct KnownStatistics {
    KnownStatistics(Function nw, Function sw, double origin, EpsilonSpan searched) {
        source.origin = origin;
        source.searched = searched;
        source.keptRises = true;
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
    // The estimate is wrong by 1%.
    const KnownStatistics exact(saturating, none, 0.0, {1e-3, 100.0});
    EpsilonFound about;
    about.epsilon = 1.01 * std::log(4.0);
    about.above = 1.011 * std::log(4.0);
    about.searched = {1e-3, 100.0};
    const auto limits = test::limitsOf({"nw.mean<=75"});
    auto found = refineEpsilon(exact.source, limits, about, 0.02).value();
    CHECK(*found.epsilon == 1.38629);
    CHECK(*found.above == Approx(std::log(4.0)).epsilon(1e-9));
    found = refineEpsilon(exact.source, limits, about, 0.001).value();
    CHECK_FALSE(found.epsilon);
    CHECK(found.binding->margin < 0.0);
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

TEST_CASE("Without order in epsilon everything is scanned") {
    KnownStatistics statistics(saturating, none, 0.0, {1e-3, 100.0});
    statistics.source.keptRises = false;
    const auto found = search(statistics, {"nw.mean<=75"});
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
    const auto found =
        findLargestEpsilon(statistics.source, test::limitsOf({"nw.mean<=75"}), test::stoppedJob());
    CHECK(found.error().code == ErrorCode::cancelled);
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
