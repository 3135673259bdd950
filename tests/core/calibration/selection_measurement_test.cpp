#include "core/calibration/measurement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/recommend.h"
#include "core/embedding/load.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

MeasurementOptions selectionOptions(const mechanism::Mechanism& kind) {
    return {{.words = {.count = 40}, .nearNeighbours = 20}, kind};
}

void checkClose(const calibration::Summary& a, const calibration::Summary& b) {
    const auto near = [](double value) { return Approx(value).epsilon(kProfileError); };
    CHECK(a.mean == near(b.mean));
    CHECK(a.sd == Approx(b.sd).epsilon(kProfileError).margin(kProfileError * b.mean));
    CHECK(a.min == near(b.min));
    CHECK(a.p5 == near(b.p5));
    CHECK(a.p95 == near(b.p95));
    CHECK(a.max == near(b.max));
}

}  // namespace

TEST_CASE("Selection mechanisms have the values of calibrate() at any epsilon") {
    RowMatrixF vectors = test::clusteredVectors(3'000, 12, 21);
    vectors.row(7) = vectors.row(6);
    vectors.row(8).setZero();
    const auto space = test::spaceOf(vectors);
    const auto kind = GENERATE(mechanism::Mechanism(mechanism::Tem{}),
                               mechanism::Mechanism(mechanism::Tem{}).with({.gamma = 0.4}),
                               mechanism::Mechanism(mechanism::Exponential{}),
                               mechanism::Mechanism(mechanism::Exponential{})
                                   .with({.lambda = 0.6, .metric = metric::Metric::mahalanobis}));
    MeasurementOptions options = selectionOptions(kind);
    options.words = {WordSelection::Kind::list, 0, {0, 6, 7, 8, 99, 1'234, 2'999}};
    options.weights = {1.0, 2.0, 3.0, 1.0, 1.0, 1.0, 1.0};
    const auto measured = measure(space, options).value();
    CHECK_FALSE(measured->isInSteps());
    CalibrationOptions run = options.calibration();
    run.grid.epsilons = {0.01, 3.0, 12.0, 30.0, 300.0};
    run.criticalEpsilons = true;
    const CalibrationSummary summary = calibrate(space, run).value();
    const std::vector<Cell> cells = measured->cellsAt(run.grid.epsilons);
    for (std::size_t e = 0; e < cells.size(); ++e) {
        const Cell& expected = summary.cells[e];
        CAPTURE(kind.name(), expected.epsilon);
        CHECK(cells[e].epsilon == expected.epsilon);
        CHECK(cells[e].lambda == expected.lambda);
        CHECK(cells[e].gamma == expected.gamma);
        CHECK(cells[e].beta == expected.beta);
        checkClose(cells[e].nw, expected.nw);
        checkClose(cells[e].sw, expected.sw);
        CHECK(cells[e].shannonEntropy.mean ==
              Approx(expected.shannonEntropy.mean).epsilon(1e-3).margin(1e-3));
        CHECK(cells[e].near == Approx(expected.near).epsilon(kProfileError).margin(1e-6));
        CHECK(cells[e].meanDistance ==
              Approx(expected.meanDistance).epsilon(kProfileError).margin(1e-6));
        CHECK(*cells[e].meanCosine == Approx(*expected.meanCosine).margin(1e-3));
        double kept = 0.0;
        for (std::size_t word = 0; word < 7; ++word) {
            const MeasuredWord values = measured->wordAt(word, expected.epsilon);
            const std::size_t place = word * cells.size() + e;
            CHECK(values.nw == Approx(summary.perWord.nw[place]).epsilon(kProfileError));
            CHECK(values.sw == Approx(summary.perWord.sw[place]).epsilon(kProfileError));
            kept += measured->weights()[word] * values.nw / 100.0;
            const auto outputs = measured->outputsAt(word, expected.epsilon, 6);
            CHECK(outputs.size() == 6);
            CHECK(outputs[0].row == measured->words()[word]);
            CHECK(outputs[0].count == Approx(values.nw));
            CHECK(outputs[1].count >= outputs[2].count);
        }
        const OutputShares shares = measured->sharesAt(expected.epsilon);
        CHECK(shares.kept == Approx(kept / 10.0).epsilon(1e-6));
        CHECK(shares.kept + shares.near + shares.far == Approx(1.0));
        const auto along = measured->sharesAlong(std::vector{0.5, expected.epsilon}, {});
        CHECK(along[1].kept == Approx(shares.kept).epsilon(1e-12));
        CHECK(along[1].near == Approx(shares.near).epsilon(1e-12));
    }
    for (std::size_t word = 0; word < 7; ++word) {
        // Both are within 2e-5 of the truth.
        CHECK(static_cast<float>(measured->halfKept(word)) ==
              Approx(summary.perWord.criticalEpsilonMedian[word]).epsilon(4e-5));
    }
    CHECK(measured->sharesMove() == (kind.parameters().gamma != 0.0));
}

TEST_CASE("A selection mechanism finds the largest epsilon within its limits") {
    const auto space = test::spaceOf(test::clusteredVectors(500, 8, 22));
    const auto measured = measure(space, selectionOptions(mechanism::Tem{})).value();
    const auto limits = GENERATE(test::limitsOf({"nw.p95<=50%", "sw.p5>=4", "near.mean>=0.02"}),
                                 test::limitsOf({"meanDistance.mean>=1"}),
                                 test::limitsOf({"meanCosine.mean<=0.5"}));
    const EpsilonFound found = measured->findLargest(limits, std::nullopt).value();
    REQUIRE(found.epsilon);
    REQUIRE(found.above);
    CHECK(test::meets(limits, measured->cellsAt(std::vector{*found.epsilon}).front(), 100));
    double epsilon = *found.above;
    while (epsilon < 1e3) {
        CHECK_FALSE(test::meets(limits, measured->cellsAt(std::vector{epsilon}).front(), 100));
        epsilon *= 1.02;
    }
    CHECK(measure(space, selectionOptions(mechanism::Tem{}), test::stoppedJob()).error().code ==
          ErrorCode::cancelled);
}

namespace {

constexpr std::size_t kProcesses = 3;

const Sampling kSharedRun{
    .words = {WordSelection::Kind::all}, .draws = 20, .seed = 9, .nearNeighbours = 6, .threads = 1};

/// Shares, cells and words at some epsilons of the axis, and the scale of each word.
std::vector<double> valuesOf(const Measurement& measured) {
    std::vector<double> values;
    for (const double epsilon :
         {measured.shown().low, measured.shown().high, 0.5 * measured.shown().high}) {
        const OutputShares shares = measured.sharesAt(epsilon);
        const Cell cell = measured.cellsAt(std::array{epsilon}).front();
        values.insert(values.end(), {shares.kept, shares.near, cell.nw.p95, cell.sw.mean,
                                     cell.shannonEntropy.mean, cell.meanDistance});
        for (std::size_t word = 0; word < measured.words().size(); ++word) {
            values.push_back(measured.wordAt(word, epsilon).sw);
        }
    }
    for (std::size_t word = 0; word < measured.words().size(); ++word) {
        values.push_back(measured.halfKept(word));
    }
    return values;
}

}  // namespace

TEST_CASE("Processes that share a measurement have the measurement of one", "[calibration][crew]") {
    const auto space = test::toySpace(600, 4, 311);
    const mechanism::Mechanism kind = GENERATE(mechanism::Mechanism{mechanism::Mahalanobis{0.5}},
                                               mechanism::Mechanism{mechanism::Tem{}});
    MeasurementOptions options{kSharedRun, kind};
    options.independentDraws = GENERATE(false, true);
    if (options.independentDraws && kind.isExact()) {
        return;
    }
    const std::vector<double> alone = valuesOf(*measure(space, options).value());

    std::array<std::vector<double>, kProcesses> found;
    std::array<int, kProcesses> units{};
    test::together(kProcesses, [&](std::size_t rank, test::ThreadCrew& crew) {
        found.at(rank) = valuesOf(*measure(space, options, {}, &crew).value());
        units.at(rank) = crew.unitsTaken;
    });
    for (const std::vector<double>& values : found) {
        CHECK(values == alone);
    }
    CHECK(units[0] + units[1] + units[2] >= 3);
}

TEST_CASE("Processes share the search of each setting", "[calibration][crew]") {
    const auto space = test::toySpace(600, 4, 311);
    RecommendationOptions options;
    options.calibration = {kSharedRun, {mechanism::Mahalanobis{}, {}, {0.0, 0.7}}};
    options.limits = test::limitsOf({"nw.p95<=60%"});
    const Recommendation alone = recommend(space, options).value();

    std::array<std::vector<double>, kProcesses> found;
    std::array<int, kProcesses> units{};
    test::together(kProcesses, [&](std::size_t rank, test::ThreadCrew& crew) {
        RecommendationOptions shared = options;
        shared.crew = &crew;
        const Recommendation result = recommend(space, shared).value();
        for (const SettingRecommendation& setting : result.settings) {
            found.at(rank).push_back(setting.epsilon.value());
            found.at(rank).push_back(setting.freshCell.value().nw.mean);
        }
        units.at(rank) = crew.unitsTaken;
    });
    std::vector<double> wanted;
    for (const SettingRecommendation& setting : alone.settings) {
        wanted.push_back(setting.epsilon.value());
        wanted.push_back(setting.freshCell.value().nw.mean);
    }
    for (const std::vector<double>& values : found) {
        CHECK(values == wanted);
    }
    // 600 words are 10 blocks, of the measurement and of two calibrations.
    const int settings = static_cast<int>(options.calibration.grid.lambdas.size());
    CHECK(units[0] + units[1] + units[2] == (10 + 1 + 2 * 10) * settings);
}

using Catch::Matchers::Contains;

namespace {

std::vector<ComparedMechanism> comparedOn(const engine::SearchSpace& space, int words) {
    MeasurementOptions how;
    how.words.count = words;
    return compareMechanisms(space, comparableMechanisms(space.handle()), how).value();
}

const ComparedMechanism& named(const std::vector<ComparedMechanism>& all,
                               const mechanism::Mechanism& mechanism) {
    return *std::ranges::find_if(
        all, [&](const ComparedMechanism& one) { return one.mechanism == mechanism; });
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
    const engine::SearchSpace space = test::sampleSpace("sample");
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
    const engine::SearchSpace space = test::sampleSpace("sample-poincare");
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
