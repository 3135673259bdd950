#include "core/calibration/mechanism_comparison.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;

namespace {

engine::SearchSpace builtIn(std::string_view name) {
    embedding::LoadOptions options;
    options.path = name;
    return engine::SearchSpace(
        embedding::prepareEmbedding(embedding::loadEmbedding(options).value()).value());
}

std::vector<ComparedMechanism> comparedOn(const engine::SearchSpace& space, int words) {
    MeasurementOptions how;
    how.words.count = words;
    return compareMechanisms(space, comparableMechanisms(space.handle()), how).value();
}

const ComparedMechanism& named(const std::vector<ComparedMechanism>& all,
                               const mechanism::Mechanism& mechanism) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const ComparedMechanism& one) { return one.mechanism == mechanism; });
}

}  // namespace

// Origin: the numbers of ../shared/math.md, "Comparing mechanisms", which come from another
// program: half of the words of the built-in sample kept, paris against london.
TEST_CASE("mechanisms at the same share have the published epsilons, losses and near shares") {
    struct Expected {
        mechanism::Mechanism mechanism{};
        double epsilon = 0.0;
        double loss = 0.0;
        double near = 0.0;
    };
    const std::vector<Expected> published{{mechanism::Laplace{}, 8.13, 31.99, 0.14},
                                          {mechanism::Mahalanobis{0.5}, 9.03, 34.95, 0.12},
                                          {mechanism::Mahalanobis{1.0}, 9.79, 42.6, 0.11},
                                          {mechanism::Tem{}, 2.65, 10.45, 0.07},
                                          {mechanism::Exponential{}, 2.65, 10.45, 0.07}};
    const engine::SearchSpace space = builtIn("sample");
    const auto compared = comparedOn(space, 500);
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    const embedding::Row paris = vocabulary.find("paris").value();
    const embedding::Row london = vocabulary.find("london").value();
    for (const Expected& expected : published) {
        const ComparedMechanism& one = named(compared, expected.mechanism);
        INFO(one.mechanism.title() << " " << one.mechanism.lambda());
        const ComparedSetting setting = settingAt(one, 0.5).value();
        CHECK(setting.epsilon == Approx(expected.epsilon).epsilon(0.005));
        CHECK(setting.shares.near == Approx(expected.near).margin(0.006));
        const double distance = one.prepared->metric().distance(paris, london);
        CHECK(mechanism::pairLoss(setting.guarantee, distance) ==
              Approx(expected.loss).epsilon(0.006));
        CHECK(setting.reach10 == Approx(std::log(10.0) / setting.epsilon));
        CHECK(setting.reachUseful == Approx(std::log(1e6) / setting.epsilon));
    }
    // One that cannot run says why.
    const ComparedMechanism& hyperbolic = named(compared, mechanism::Hyperbolic{});
    CHECK_THAT(hyperbolic.problem, Contains("12,000 rows have norm ≥ 1"));
    CHECK_FALSE(hyperbolic.response);
    CHECK_FALSE(settingAt(hyperbolic, 0.5));
}

TEST_CASE("a compared setting is what a calibration finds there") {
    const engine::SearchSpace space = builtIn("sample-poincare");
    const auto compared = comparedOn(space, 60);
    // Vectors in the unit ball admit every mechanism, and TEM in the Poincaré metric.
    CHECK(compared.size() == 7);
    for (const ComparedMechanism& one : compared) {
        INFO(one.mechanism.title());
        REQUIRE(one.problem.empty());
        for (const double kept : {0.2, 0.7}) {
            const ComparedSetting setting = settingAt(one, kept).value();
            CalibrationOptions options = one.response->options().calibration();
            options.grid.epsilons = {setting.epsilon};
            const Cell cell = calibrate(space, options).value().cells.front();
            const double exact = one.mechanism.isExact() ? 1e-5 : 1e-12;
            CHECK(cell.kept >= kept - exact);
            CHECK(cell.kept == Approx(setting.shares.kept).margin(exact));
            CHECK(cell.near == Approx(setting.shares.near).margin(exact));
            CHECK(cell.sw.mean == Approx(setting.differentOutputs).margin(100.0 * exact));
            // One draw of a word more or less is the step of a sampled share.
            CHECK(cell.kept < kept + 1.01 / (60.0 * 100.0) + exact);
        }
    }
}

TEST_CASE("weights count in a comparison, and a share that is not reached has no setting") {
    const auto space = test::toySpace(70, 4, 311);
    MeasurementOptions options;
    const std::vector<mechanism::Mechanism> laplace{mechanism::Laplace{}};
    options.words = {WordSelection::Kind::list, 0, {3, 8}};
    options.weights = {1.0, 1e9};
    const auto heavy = compareMechanisms(space, laplace, options).value();
    options.words.rows = {8};
    options.weights.clear();
    const auto alone = compareMechanisms(space, laplace, options).value();
    // Draws of words that share a block differ from those of one alone: of 100 draws each.
    CHECK(settingAt(heavy.front(), 0.5)->epsilon ==
          Approx(settingAt(alone.front(), 0.5)->epsilon).epsilon(0.5));
    CHECK_FALSE(settingAt(alone.front(), 1e-9));

    options.weights = {-1.0};
    CHECK_THAT(compareMechanisms(space, laplace, options).error().message, Contains("-1"));
}

TEST_CASE("a cancelled comparison fails with cancelled") {
    const auto space = test::toySpace(70, 4, 311);
    test::checkRefused(
        compareMechanisms(space, comparableMechanisms(space.handle()), {}, test::stoppedJob()),
        ErrorCode::cancelled);
}
