#include "core/calibration/recommend.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/measurement.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;

namespace {

RecommendationOptions searchOptions(const mechanism::Mechanism& kind,
                                    std::initializer_list<const char*> limits) {
    RecommendationOptions options;
    options.calibration = {{.words = {WordSelection::Kind::all}, .draws = 40, .seed = 3}, {kind}};
    options.limits = test::limitsOf(limits);
    return options;
}

// Two words at distance 2: a draw keeps its word when the noise does not reach over the midpoint,
// so that N_w / R of each is near 1 - e^(-epsilon) / 2.
engine::SearchSpace twoWords() {
    return test::lineSpace({-1.0, 1.0});
}

// The end that was found meets the limits, what lies just above does not.
void checkEnds(const engine::SearchSpace& space, const RecommendationOptions& options,
               const SettingRecommendation& setting) {
    CalibrationOptions run = options.calibration;
    run.grid.lambdas = {setting.cell.lambda};
    if (setting.cell.beta) {
        run.grid.betas = {*setting.cell.beta};
    } else if (setting.cell.gamma) {
        run.grid.gammas = {*setting.cell.gamma};
    }
    CAPTURE(setting.cell.lambda, setting.cell.epsilon);
    REQUIRE(setting.epsilon);
    REQUIRE(setting.above);
    const auto meets = [&](double epsilon) {
        return test::meets(options.limits, test::cellAt(space, run, epsilon), run.draws);
    };
    CHECK(meets(*setting.epsilon));
    CHECK_FALSE(meets(*setting.above * (1.0 + 1e-9)));
}

}  // namespace

TEST_CASE("On a line of two words the epsilon of a limit and of a match have their closed form") {
    const engine::SearchSpace space = twoWords();
    RecommendationOptions options = searchOptions(mechanism::Laplace{}, {"nw.mean<=80%"});
    options.calibration.draws = 100'000;
    // 1 - e^(-epsilon)/2 = 0.8. The share of 200,000 draws has a standard deviation of at most
    // sqrt(0.8 0.2 / 100,000) (words share their draws), the slope e^(-epsilon)/2 is 0.2; false
    // alarm rate 1e-6.
    const double truth = -std::log(0.4);
    const double error = test::normalCritical(1e-6) * std::sqrt(0.16 / 100'000.0) / 0.2;
    const auto result = recommend(space, options).value();
    REQUIRE(result.settings.size() == 1);
    REQUIRE(result.settings[0].epsilon);
    CHECK(std::fabs(*result.settings[0].epsilon - truth) < error);
    // The safe end: the draws themselves keep at most 80%.
    CHECK(result.settings[0].cell.nw.mean <= 80'000.0);
    CHECK(result.settings[0].binding->limit == options.limits[0]);
    CHECK(result.best == 0U);
    options.limits = {parseMatch("nw.mean=80%").value()};
    options.matches = true;
    const auto match = recommend(space, options).value();
    CHECK(match.settings[0].epsilon == result.settings[0].epsilon);
    CHECK(match.settings[0].cell.nw.mean == Approx(80'000.0).margin(1.0));
    CHECK(match.matches);
    options.calibration.draws = 1'000;
    // The limit is met everywhere below: the value is not reached.
    options.calibration.grid.epsilons = {truth / 4.0, truth / 2.0};
    const auto below = recommend(space, options).value();
    CHECK_FALSE(below.settings[0].epsilon);
    CHECK(below.settings[0].cell.epsilon == Approx(truth / 2.0));
    CHECK_FALSE(below.best);
    options.calibration.grid.epsilons = {truth * 2.0, truth * 4.0};
    const auto above = recommend(space, options).value();
    CHECK_FALSE(above.settings[0].epsilon);
    CHECK(above.settings[0].binding);
}

TEST_CASE("A narrowed search replaces what the limits found, and may do without limits") {
    const engine::SearchSpace space = twoWords();
    RecommendationOptions options = searchOptions(mechanism::Laplace{}, {});
    options.calibration.grid.epsilons = {0.1, 2.0};
    int calls = 0;
    options.narrow = [&](const Measurement& measured, const EpsilonFound& within,
                         const JobContext&) -> Result<EpsilonFound> {
        ++calls;
        CHECK(measured.words().size() == 2);
        CHECK(within.epsilon == 2.0);
        EpsilonFound found = within;
        found.epsilon = 1.5;
        return found;
    };
    const auto result = recommend(space, options).value();
    CHECK(calls == 1);
    CHECK(result.settings[0].epsilon == 1.5);
    CHECK(result.settings[0].cell.epsilon == 1.5);
}

TEST_CASE("A recommended epsilon is the largest: the next critical epsilon misses the limit") {
    const auto space = test::toySpace(50, 4, 101);
    RecommendationOptions options = searchOptions(
        mechanism::Mahalanobis{}, {"nw.p95<=50%", "kept.mean<=0.35", "far.mean>=0.01"});
    options.calibration.grid.lambdas = {0.0, 0.5, 1.0};
    options.calibration.nearNeighbours = 5;
    const auto result = recommend(space, options).value();
    REQUIRE(result.settings.size() == 3);
    for (const SettingRecommendation& setting : result.settings) {
        checkEnds(space, options, setting);
        CHECK(*setting.above < *setting.epsilon * (1.0 + 2e-5));
        REQUIRE(setting.binding);
        CHECK_FALSE(setting.binding->met());
        // The cell is that of calibrate() at this epsilon.
        CalibrationOptions run = options.calibration;
        run.grid.lambdas = {setting.cell.lambda};
        CHECK(setting.cell.nw.mean == test::cellAt(space, run, *setting.epsilon).nw.mean);
        CHECK(setting.guarantee.epsilon == *setting.epsilon);
    }
}

TEST_CASE("What paths say of a cell is what a calibration measures") {
    // A limit on every statistic that is met for good, so that the search looks at them all.
    const auto space = test::toySpace(40, 3, 103);
    RecommendationOptions options = searchOptions(
        mechanism::Laplace{},
        {"nw.max<=95%", "sw.min>=2", "minEntropy.p5>=0.05", "kw.min>=1", "far.mean>=0"});
    options.calibration.independentDraws = true;
    options.calibration.nearNeighbours = 8;
    const auto result = recommend(space, options).value();
    REQUIRE(result.settings[0].epsilon);
    const auto& setting = result.settings[0];
    CHECK(setting.cell.kw);
    checkEnds(space, options, setting);
    // A limit on the largest N_w has its words counted again.
    REQUIRE(setting.cell.worst);
    CHECK(setting.cell.worst->words.size() == kRerunWords);
}

TEST_CASE("Without an epsilon the limit that fails is named with what is missing") {
    const auto space = test::toySpace(50, 3, 104);
    // 40 draws cannot return 41 words.
    RecommendationOptions options =
        searchOptions(mechanism::Laplace{}, {"nw.mean<=60%", "sw.mean>=41"});
    auto result = recommend(space, options).value();
    CHECK_FALSE(result.best);
    const SettingRecommendation& setting = result.settings[0];
    CHECK_FALSE(setting.epsilon);
    REQUIRE(setting.binding);
    CHECK(setting.binding->limit == options.limits[1]);
    CHECK(setting.binding->margin == Approx(setting.cell.sw.mean - 41.0));
    CHECK_FALSE(setting.freshCell);
    // A lower and an upper bound on the same value that contradict each other.
    options.limits = test::limitsOf({"nw.mean<=10%", "nw.mean>=20%"});
    result = recommend(space, options).value();
    CHECK_FALSE(result.settings[0].epsilon);
    // Words on the hull are kept at every epsilon: no epsilon brings the largest N_w to 0.
    options.limits = test::limitsOf({"nw.max<=0"});
    result = recommend(space, options).value();
    CHECK_FALSE(result.settings[0].epsilon);
    CHECK(result.settings[0].binding->limit == options.limits[0]);
}

TEST_CASE("Limits that always hold leave the end of the range and no binding limit") {
    const auto space = test::toySpace(30, 3, 105);
    for (const char* limit : {"nw.max<=100%", "sw.min>=1"}) {
        const auto result = recommend(space, searchOptions(mechanism::Laplace{}, {limit})).value();
        CAPTURE(limit);
        REQUIRE(result.settings[0].epsilon);
        CHECK_FALSE(result.settings[0].above);
        CHECK_FALSE(result.settings[0].binding);
        CHECK(result.settings[0].cell.kept == 1.0);  // nothing changes any more
    }
}

TEST_CASE("The fresh check has draws of another seed for the same words") {
    const auto space = test::toySpace(80, 4, 107);
    RecommendationOptions options = searchOptions(mechanism::Laplace{}, {"nw.mean<=50%"});
    options.calibration.words.kind = WordSelection::Kind::random;
    options.calibration.words.count = 25;
    const auto result = recommend(space, options).value();
    const SettingRecommendation& setting = result.settings[0];
    CHECK(result.freshSeed == 4);
    REQUIRE(setting.freshCell);
    CalibrationOptions fresh = options.calibration;
    fresh.words = {WordSelection::Kind::list, 0, selectWords(fresh.words, 80, 3).value()};
    fresh.seed = 4;
    CHECK(setting.freshCell->nw.mean == test::cellAt(space, fresh, *setting.epsilon).nw.mean);
    CHECK(setting.freshCell->nw.mean != setting.cell.nw.mean);
    CHECK(setting.freshChecks.size() == 1);
}

TEST_CASE("The best setting follows the objective") {
    const auto space = test::toySpace(60, 6, 108);
    RecommendationOptions options = searchOptions(mechanism::Mahalanobis{}, {"nw.p95<=60%"});
    options.calibration.grid.lambdas = {0.0, 0.5, 1.0};
    for (const Objective objective : {Objective::distance, Objective::cosine, Objective::changed}) {
        options.objective = objective;
        const auto result = recommend(space, options).value();
        REQUIRE(result.best);
        const Cell& best = result.settings[*result.best].cell;
        for (const SettingRecommendation& setting : result.settings) {
            CHECK((objective != Objective::distance ||
                   best.meanDistance <= setting.cell.meanDistance));
            CHECK((objective != Objective::cosine || *best.meanCosine >= *setting.cell.meanCosine));
            CHECK((objective != Objective::changed || best.kept >= setting.cell.kept));
        }
        CHECK(parseObjective(objectiveName(objective)).value() == objective);
    }
}

TEST_CASE("Wrong options are refused with a reason") {
    const auto space = test::toySpace(20, 3, 109);
    RecommendationOptions options = searchOptions(mechanism::Laplace{}, {"kw.min>=3"});
    const auto refused = [&] { return recommend(space, options).error().message; };
    CHECK_THAT(refused(), Contains("K_w needs independent draws"));
    options.calibration.grid.mechanism = mechanism::Tem{};
    CHECK_THAT(refused(), Contains("K_w needs independent draws"));
    options.limits.clear();
    CHECK_THAT(refused(), Contains("no limit"));
    options.limits = defaultLimits();
    options.calibration.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    options.calibration.grid.lambdas = {0.0, 0.5};
    CHECK_THAT(refused(), Contains("cannot be compared"));
    options = searchOptions(mechanism::Laplace{}, {"nw.mean<=50%"});
    options.calibration.grid.epsilons = {3.0};
    CHECK_THAT(refused(), Contains("a smallest and a largest"));
    options.calibration.grid.epsilons = {3.0, -1.0};
    CHECK_THAT(refused(), Contains("above 0"));
    CHECK_THAT(parseObjective("speed").error().message, Contains("distance, cosine, changed"));
}

TEST_CASE("A search does not depend on the threads and can be stopped") {
    const auto space = test::toySpace(120, 5, 110);
    RecommendationOptions options =
        searchOptions(mechanism::Mahalanobis{}, {"nw.p95<=50%", "sw.p5>=8"});
    options.calibration.grid.lambdas = {0.0, 0.6};
    options.calibration.threads = 1;
    const auto one = recommend(space, options).value();
    options.calibration.threads = 3;
    const auto three = recommend(space, options).value();
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(one.settings[i].epsilon == three.settings[i].epsilon);
        CHECK(one.settings[i].above == three.settings[i].above);
        CHECK(one.settings[i].cell.sw.mean == three.settings[i].cell.sw.mean);
    }
    test::checkRefused(recommend(space, options, test::stoppedAt(0.1)), ErrorCode::cancelled);
    const auto stopped = recommend(space, options, test::stoppedAt(0.7)).value();
    CHECK(stopped.partial);
    CHECK(stopped.settings.size() == 1);
    CHECK(stopped.settings[0].epsilon == one.settings[0].epsilon);
}

TEST_CASE("TEM with one alternative has its recommended epsilon in closed form") {
    // p(w|w) = 1 / (1 + e^(-epsilon d / 2)) with d = 2 below the radius, the same for both words:
    // it is 0.9 at epsilon = ln 9.
    const engine::SearchSpace space = twoWords();
    RecommendationOptions options = searchOptions(mechanism::Tem{}, {"nw.max<=90%"});
    options.calibration.grid.gammas = {5.0};
    const auto setting = recommend(space, options).value().settings.at(0);
    REQUIRE(setting.epsilon);
    CHECK(*setting.epsilon == Approx(std::log(9.0)).epsilon(1e-5));
    CHECK(*setting.epsilon <= std::log(9.0) * (1.0 + 1e-6));
    CHECK_FALSE(setting.freshCell);  // exact
    CHECK_FALSE(setting.cell.worst);
    // A radius below the distance stands in its place: gamma = 1/2 asks for four times the epsilon.
    options.calibration.grid.gammas = {0.5, 5.0};
    const auto both = recommend(space, options).value();
    REQUIRE(both.settings.size() == 2);
    CHECK(*both.settings[0].epsilon == Approx(4.0 * std::log(9.0)).epsilon(1e-5));
    CHECK(both.run.grid.gammas == options.calibration.grid.gammas);
    CHECK(both.run.cells[1].gamma == 5.0);
}

TEST_CASE("TEM is bracketed far from where its critical epsilons lie") {
    const auto space = test::toySpace(80, 4, 111);
    RecommendationOptions options = searchOptions(mechanism::Tem{}, {});
    options.calibration.draws = 100;
    for (const char* limit : {"nw.max<=1.3%", "nw.mean<=30%", "nw.min<=99.5%"}) {
        options.limits = test::limitsOf({limit});
        checkEnds(space, options, recommend(space, options).value().settings.at(0));
    }
    options.limits = test::limitsOf({"nw.p95<=50%", "sw.p5>=20", "shannonEntropy.mean>=4"});
    options.calibration.grid.betas = {0.001, 0.1};
    const auto both = recommend(space, options).value();
    for (const SettingRecommendation& setting : both.settings) {
        checkEnds(space, options, setting);
    }
    // Every word is returned with probability 1/80 at least for the uniform law, no less.
    options.limits = test::limitsOf({"nw.mean<=1.2%"});
    const auto none = recommend(space, options).value().settings.at(0);
    CHECK_FALSE(none.epsilon);
    CHECK(none.binding->value == Approx(1.25).epsilon(1e-3));
}

TEST_CASE("Hyperbolic noise is recommended within its own range of epsilon") {
    const auto space = test::spaceOf(test::poincareVectors(150, 4, 0.8, 112));
    RecommendationOptions options =
        searchOptions(mechanism::Hyperbolic{}, {"nw.mean<=60%", "sw.mean>=4"});
    options.calibration.nearNeighbours = 10;
    for (const auto law : {mechanism::RadialLaw::riemannian, mechanism::RadialLaw::eq7}) {
        options.calibration.grid.mechanism = options.calibration.grid.mechanism.with({.law = law});
        const auto setting = recommend(space, options).value().settings.at(0);
        REQUIRE(setting.epsilon);
        CHECK(*setting.epsilon > (law == mechanism::RadialLaw::riemannian ? 3.0 : 0.0));
        checkEnds(space, options, setting);
        CHECK_FALSE(test::meets(options.limits,
                                test::cellAt(space, options.calibration, *setting.above),
                                options.calibration.draws));
        CHECK(setting.freshCell);
    }
}
