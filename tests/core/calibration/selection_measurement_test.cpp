#include "core/calibration/measurement.h"

#include <array>

#include <catch2/catch.hpp>

#include "core/calibration/recommend.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/support/refusal.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

MeasurementOptions selectionOptions(const mechanism::Mechanism& kind) {
    MeasurementOptions options;
    options.mechanism = kind;
    options.words.count = 40;
    options.nearNeighbours = 20;
    return options;
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
    options.words.kind = WordSelection::Kind::list;
    options.words.rows = {0, 6, 7, 8, 99, 1'234, 2'999};
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
    const auto limits = test::limitsOf({"nw.p95<=50%", "sw.p5>=4", "near.mean>=0.02"});
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

CalibrationOptions runOf(const mechanism::Mechanism& kind) {
    CalibrationOptions run;
    run.grid.mechanism = kind;
    run.words.kind = WordSelection::Kind::all;
    run.draws = 20;
    run.seed = 9;
    run.nearNeighbours = 6;
    run.threads = 1;
    return run;
}

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
    MeasurementOptions options{runOf(kind), kind};
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
    options.calibration = runOf(mechanism::Mahalanobis{});
    options.limits = test::limitsOf({"nw.p95<=60%"});
    options.calibration.grid.lambdas = {0.0, 0.7};
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
