
#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/summary.h"
#include "core/mechanism/unit_draws.h"
#include "tests/core/calibration/brute_runs.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

CalibrationOptions rerunGrid(std::vector<double> epsilons) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = std::move(epsilons);
    options.grid.lambdas = {0.0, 0.7};
    options.words.kind = WordSelection::Kind::all;
    options.draws = 30;
    options.seed = 5;
    options.rerunWorst = true;
    return options;
}

}  // namespace

TEST_CASE("The worst words of a cell are those of largest N_w, counted by brute force") {
    const auto space = test::toySpace(30, 3, 91);
    const CalibrationOptions options = rerunGrid({3.0, 10.0});
    const auto summary = calibrate(space, options).value();
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        const Cell& cell = summary.cells[i];
        CAPTURE(cell.epsilon, cell.lambda);
        REQUIRE(cell.worst);
        REQUIRE(cell.worst->words.size() == kRerunWords);
        const RowMatrixF noise =
            test::unitNoise(space, options.seed, StreamPurpose::rerun, 0, kRerunDraws, cell.lambda);
        double previous = 1e9;
        for (const RerunWord& word : cell.worst->words) {
            const auto row = static_cast<std::size_t>(word.row);
            CHECK(word.nw == summary.perWord.nw[row * summary.perWord.cells + i]);
            CHECK(word.nw <= previous);
            CHECK(word.word == "w" + std::to_string(word.row));
            previous = word.nw;
        }
        // Every word left out was kept at most as often as the last one listed.
        std::int64_t larger = 0;
        for (std::size_t row = 0; row < 30; ++row) {
            larger += summary.perWord.nw[row * summary.perWord.cells + i] > previous ? 1 : 0;
        }
        CHECK(larger < static_cast<std::int64_t>(kRerunWords));
        const RerunWord& first = cell.worst->words.front();
        std::int64_t kept = 0;
        for (int draw = 0; draw < kRerunDraws; ++draw) {
            kept += test::bruteForceNearest(space.embedding().vectors(), first.row,
                                            noise.row(draw).transpose(), cell.epsilon) == first.row
                        ? 1
                        : 0;
        }
        CHECK(first.kept == kept);
    }
}

TEST_CASE("The second count of the worst words has the probability of the law") {
    // A word between neighbours at distance 1 is kept with probability 1 - e^(-epsilon/2): all the
    // inner words of a line of equal steps alike, so that the largest of their N_w is chance.
    RowMatrixF vectors(402, 1);
    for (Eigen::Index i = 0; i < 402; ++i) {
        vectors(i, 0) = static_cast<float>(i);
    }
    const auto space = test::spaceOf(vectors);
    CalibrationOptions options = rerunGrid({1.0});
    options.grid.lambdas = {0.0};
    options.independentDraws = true;
    options.words.kind = WordSelection::Kind::list;
    for (Row row = 1; row < 401; ++row) {
        options.words.rows.push_back(row);
    }
    const auto summary = calibrate(space, options).value();
    const double truth = -std::expm1(-0.5);
    const Cell& cell = summary.cells[0];
    // The largest count of the run is far above the truth, the second count is not.
    CHECK(cell.worst->words.front().nw / options.draws > truth + 0.15);
    // 20 words with shared draws: each within its own bound, false-alarm rate 1e-6 together.
    const double sd = std::sqrt(truth * (1.0 - truth) / kRerunDraws);
    for (const RerunWord& word : cell.worst->words) {
        const double share = static_cast<double>(word.kept) / kRerunDraws;
        CHECK(std::fabs(share - truth) < test::normalCritical(1e-6 / 20.0) * sd);
    }
    CHECK(std::fabs(cell.worst->largestShare() - truth) < test::normalCritical(1e-6 / 20.0) * sd);
}

TEST_CASE("The second count does not depend on the threads; a stopped one leaves a partial run") {
    const auto space = test::toySpace(80, 4, 92);
    CalibrationOptions options = rerunGrid({4.0});
    options.threads = 1;
    const auto one = calibrate(space, options).value();
    options.threads = 3;
    const auto three = calibrate(space, options).value();
    for (std::size_t i = 0; i < one.cells[1].worst->words.size(); ++i) {
        CHECK(one.cells[1].worst->words[i].kept == three.cells[1].worst->words[i].kept);
    }
    std::stop_source source;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             if (progress.stage == "Counting the worst words again") {
                                 source.request_stop();
                             }
                         }};
    const auto stopped = calibrate(space, options, job).value();
    CHECK(stopped.partial);
    CHECK(stopped.words == 80);
    CHECK_FALSE(stopped.cells[0].worst);
}

TEST_CASE("A word with a lower twin is never kept, however often it is counted") {
    RowMatrixF vectors = test::anisotropicVectors(10, 2, 93);
    vectors.row(7) = vectors.row(2);
    const auto space = test::spaceOf(vectors);
    const auto summary = calibrate(space, rerunGrid({5.0})).value();
    for (const RerunWord& word : summary.cells[0].worst->words) {
        CHECK((word.row == 7) == (word.kept == 0));
    }
}

TEST_CASE("No hit in 100 draws leaves at most three percent") {
    // The rule of three; R's binom.test(0, 100, alternative = "less") gives 0.02951305.
    CHECK(calibration::largestShareOfNone(100) == Approx(0.02951305).epsilon(1e-6));
    CHECK(calibration::largestShareOfNone(1) == Approx(0.95));
}
