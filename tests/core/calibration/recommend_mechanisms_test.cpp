#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/recommend.h"
#include "core/embedding/load.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/support/shared_data.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

bool meets(const engine::SearchSpace& space, const RecommendationOptions& options,
           const CalibrationOptions& run, double epsilon) {
    return test::meets(options.limits, test::cellAt(space, run, epsilon), run.draws);
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
    CHECK(meets(space, options, run, *setting.epsilon));
    CHECK_FALSE(meets(space, options, run, *setting.above * (1.0 + 1e-9)));
}

}  // namespace

TEST_CASE("TEM with one alternative has its recommended epsilon in closed form") {
    // p(w|w) = 1 / (1 + e^(-epsilon d / 2)) with d = 2 below the radius, the same for both words:
    // it is 0.9 at epsilon = ln 9.
    RowMatrixF vectors(2, 1);
    vectors << -1.0F, 1.0F;
    const auto space = test::spaceOf(vectors);
    RecommendationOptions options;
    options.calibration.grid.mechanism = mechanism::Tem{};
    options.calibration.grid.gammas = {5.0};
    options.calibration.words.kind = WordSelection::Kind::all;
    options.limits = test::limitsOf({"nw.max<=90%"});
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
    RecommendationOptions options;
    options.calibration.grid.mechanism = mechanism::Tem{};
    options.calibration.words.kind = WordSelection::Kind::all;
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
    RecommendationOptions options;
    options.calibration.grid.mechanism = mechanism::Hyperbolic{};
    options.calibration.words.kind = WordSelection::Kind::all;
    options.calibration.draws = 40;
    options.calibration.nearNeighbours = 10;
    options.limits = test::limitsOf({"nw.mean<=60%", "sw.mean>=4"});
    for (const auto law : {mechanism::RadialLaw::riemannian, mechanism::RadialLaw::eq7}) {
        options.calibration.grid.mechanism = options.calibration.grid.mechanism.with({.law = law});
        const auto setting = recommend(space, options).value().settings.at(0);
        REQUIRE(setting.epsilon);
        CHECK(*setting.epsilon > (law == mechanism::RadialLaw::riemannian ? 3.0 : 0.0));
        CalibrationOptions run = options.calibration;
        CHECK(meets(space, options, run, *setting.epsilon));
        REQUIRE(setting.above);
        CHECK_FALSE(meets(space, options, run, *setting.above));
        CHECK(setting.freshCell);
    }
}
