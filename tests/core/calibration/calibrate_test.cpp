#include "core/calibration/calibrate.h"

#include <algorithm>
#include <array>
#include <memory>

#include <catch2/catch.hpp>

#include "core/calibration/run.h"
#include "core/calibration/word_blocks.h"
#include "core/mechanism/unit_draws.h"
#include "tests/core/calibration/equal_runs.h"
#include "tests/support/brute_force.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

CalibrationOptions smallGrid() {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {0.5, 4.0, 30.0};
    options.grid.lambdas = {0.0, 0.8};
    options.words.count = 150;
    options.draws = 25;
    options.seed = 5;
    return options;
}

}  // namespace

TEST_CASE("A run gives the same numbers for any number of threads") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(700, 12, 71)));
    CalibrationOptions options = smallGrid();
    options.threads = 1;
    const auto one = calibrate(space, options).value();
    options.threads = GENERATE(2, 7);
    test::requireEqual(one, calibrate(space, options).value());
    std::array<CalibrationSummary, 2> shared;
    test::together(2, [&](std::size_t rank, test::ThreadCrew& crew) {
        shared.at(rank) = calibrate(space, options, {}, &crew).value();
    });
    test::requireEqual(one, shared.front());
    test::requireEqual(one, shared.back());
}

TEST_CASE("Results that need more memory than is free are refused before the run") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(20, 3, 73)));
    CalibrationOptions options = smallGrid();
    options.draws = 1'000'000;
    options.grid.epsilons.assign(10'000, 1.0);
    const auto refused = calibrate(space, options);
    CHECK(refused.error().code == ErrorCode::resourceLimit);
    CHECK_THAT(refused.error().message, Catch::Contains("the results"));
}

TEST_CASE("A run has a cell for each setting, and N_w rises with epsilon for every word") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(700, 12, 72)));
    const CalibrationOptions options = smallGrid();
    const auto summary = calibrate(space, options).value();
    REQUIRE(summary.cells.size() == 6);
    REQUIRE(summary.guarantees.size() == 6);
    CHECK(summary.substitutions == 150 * 25 * 6);
    for (std::size_t c = 0; c < summary.cells.size(); ++c) {
        CHECK(summary.cells[c].epsilon == options.grid.epsilons[c % 3]);
        CHECK(summary.cells[c].lambda == options.grid.lambdas[c / 3]);
        // Draw by draw under common random numbers.
        for (std::size_t w = 0; w < 150 && c % 3 > 0; ++w) {
            REQUIRE(summary.perWord.nw[w * 6 + c - 1] <= summary.perWord.nw[w * 6 + c]);
        }
    }
}

TEST_CASE("A single block's counts equal brute force with the block's own draws") {
    const RowMatrixF vectors = test::anisotropicVectors(40, 3, 73);
    const engine::SearchSpace space(test::toyEmbedding(vectors));
    CalibrationOptions options = smallGrid();
    options.words.kind = WordSelection::Kind::all;
    options.grid.lambdas = {0.8};
    const auto summary = calibrate(space, options).value();
    REQUIRE(summary.blockSize == 40);
    const auto noise =
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, 0.8).value();
    const RowMatrixF z = mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(options.seed, StreamPurpose::unitDraws, 0, 0, options.draws, 3),
        noise);
    for (Row word = 0; word < 40; ++word) {
        for (std::size_t e = 0; e < 3; ++e) {
            std::vector<Row> outputs;
            outputs.reserve(static_cast<std::size_t>(options.draws));
            for (int draw = 0; draw < options.draws; ++draw) {
                outputs.push_back(test::bruteForceNearest(vectors, word, z.row(draw).transpose(),
                                                          options.grid.epsilons[e]));
            }
            const auto kept = std::count(outputs.begin(), outputs.end(), word);
            std::sort(outputs.begin(), outputs.end());
            const auto distinct = std::unique(outputs.begin(), outputs.end()) - outputs.begin();
            CAPTURE(word, e);
            REQUIRE(summary.perWord.nw[static_cast<std::size_t>(word) * 3 + e] ==
                    static_cast<double>(kept));
            REQUIRE(summary.perWord.sw[static_cast<std::size_t>(word) * 3 + e] ==
                    static_cast<double>(distinct));
        }
    }
}

TEST_CASE("Laplace is Mahalanobis at lambda 0") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(300, 6, 74)));
    CalibrationOptions options = smallGrid();
    options.grid.lambdas = {0.0};
    const auto mahalanobis = calibrate(space, options).value();
    options.grid.mechanism = mechanism::Laplace{};
    options.grid.lambdas = {0.3, 0.7};
    const auto laplace = calibrate(space, options).value();
    CHECK(laplace.grid.lambdas == std::vector<double>{0.0});
    test::requireEqual(laplace, mahalanobis);
    CHECK(laplace.guarantees[0].metric == mechanism::Metric::euclidean);
}

TEST_CASE("A cancelled run keeps its finished blocks") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(700, 12, 75)));
    const CalibrationOptions options = smallGrid();
    std::stop_source source;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             if (progress.fraction > 0.5) {
                                 source.request_stop();
                             }
                         }};
    const auto partial = calibrate(space, options, job).value();
    CHECK(partial.partial);
    CHECK(partial.words == 64);
    CHECK(partial.wordsAsked == 150);
    CHECK(partial.perWord.words.size() == 64);
    // Finished words have the numbers of the whole run.
    const auto whole = calibrate(space, options).value();
    for (std::size_t i = 0; i < partial.perWord.words.size(); ++i) {
        const auto found = std::find(whole.perWord.words.begin(), whole.perWord.words.end(),
                                     partial.perWord.words[i]);
        REQUIRE(found != whole.perWord.words.end());
        const auto place = static_cast<std::size_t>(found - whole.perWord.words.begin());
        CHECK(partial.perWord.nw[i * 6] == whole.perWord.nw[place * 6]);
    }
    std::stop_source stopped;
    stopped.request_stop();
    const auto none = calibrate(space, options, JobContext{stopped.get_token(), {}});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::cancelled);
}

TEST_CASE("Block sizes follow the words of the run alone") {
    CHECK(blockSize(10) == 10);
    CHECK(blockSize(500) == 64);
    CHECK(blockSize(5000) == 250);
    CHECK(blockSize(28596) == 1024);
}

TEST_CASE("A run is repeated with the blocks that it had") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(150, 4, 77)));
    CalibrationOptions options = smallGrid();
    options.words.kind = WordSelection::Kind::all;
    options.blockSize = 32;
    const CalibrationSummary summary = calibrate(space, options).value();
    REQUIRE(summary.blockSize == 32);
    options.blockSize = 0;
    CHECK(calibrate(space, options).value().perWord.nw != summary.perWord.nw);
    Run run;
    run.request.options = options;
    run.summary = std::make_shared<const CalibrationSummary>(summary);
    run.provenance = provenanceOf(space.embedding());
    CHECK(repeatRun(run, space, 1).value().summary->perWord.nw == summary.perWord.nw);
}

TEST_CASE("One draw or one word leave no interval") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(100, 4, 76)));
    CalibrationOptions options = smallGrid();
    options.draws = 1;
    CHECK_FALSE(calibrate(space, options).value().cells[0].nw.ci95);
    options.draws = 10;
    options.words.kind = WordSelection::Kind::list;
    options.words.rows = {3};
    CHECK_FALSE(calibrate(space, options).value().cells[0].sw.ci95);
}
