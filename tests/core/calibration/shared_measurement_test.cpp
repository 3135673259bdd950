#include <array>

#include <catch2/catch.hpp>

#include "core/calibration/measurement.h"
#include "core/calibration/recommend.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

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
