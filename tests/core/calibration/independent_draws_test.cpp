#include <algorithm>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/summary.h"
#include "core/calibration/word_comparison.h"
#include "core/mechanism/truncated_exponential.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

CalibrationOptions comparedGrid(int draws) {
    return {
        {.words = {WordSelection::Kind::all}, .draws = draws, .seed = 9, .independentDraws = true},
        {mechanism::Mahalanobis{}, {2.0, 8.0}, {0.0, 0.8}}};
}

// Outputs of every word under its own draws: block i is the i-th word of the order of the run.
std::vector<CountedOutputs> bruteForceOutputs(const engine::SearchSpace& space,
                                              const CalibrationOptions& options, const Cell& cell) {
    std::vector<CountedOutputs> words;
    for (const test::BruteBlock& block :
         test::bruteBlocks(space, options, 1, cell.epsilon, cell.lambda)) {
        words.push_back(test::countedOutputs(block.front().outputs));
    }
    return words;
}

double meanOfDraws(const std::vector<std::int32_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
           static_cast<double>(numbers.size());
}

}  // namespace

TEST_CASE("K_w of a run is that of brute force with every word's own draws") {
    const auto space = test::toySpace(40, 3, 81);
    const CalibrationOptions options = comparedGrid(25);
    const auto summary = calibrate(space, options).value();
    CHECK(summary.blockSize == 1);
    CHECK(summary.independentDraws);
    REQUIRE(summary.cells.size() == 4);
    for (const Cell& cell : summary.cells) {
        CAPTURE(cell.epsilon, cell.lambda);
        const std::vector<CountedOutputs> outputs = bruteForceOutputs(space, options, cell);
        const auto shared = sharedOutputs(outputs);
        double distinct = 0.0;
        for (const CountedOutputs& word : outputs) {
            distinct += static_cast<double>(word.size()) / static_cast<double>(outputs.size());
        }
        CHECK(cell.sw.mean == Approx(distinct).epsilon(1e-12));
        REQUIRE(cell.kw);
        CHECK(cell.kw->mean == Approx(meanOfDraws(shared)).epsilon(1e-6));
        CHECK(cell.kw->min == *std::ranges::min_element(shared));
        CHECK(cell.kw->max == *std::ranges::max_element(shared));
        CHECK_FALSE(cell.deniability);  // not asked for
    }
}

TEST_CASE("Deniability of a run is that of brute force, from 1,000 draws on") {
    const auto space = test::toySpace(20, 2, 83);
    CalibrationOptions options = comparedGrid(1000);
    options.grid.lambdas = {0.8};
    options.deniabilityOdds = 3.0;
    const auto summary = calibrate(space, options).value();
    for (const Cell& cell : summary.cells) {
        CAPTURE(cell.epsilon);
        const auto expected = sampledDeniability(bruteForceOutputs(space, options, cell), 3.0);
        double sum = 0.0;
        double shares = 0.0;
        std::int64_t words = 0;
        for (const auto& word : expected) {
            sum += word.size.value_or(0.0);
            shares += word.size ? word.share : 0.0;
            words += word.size ? 1 : 0;
        }
        REQUIRE(cell.deniability);
        CHECK(cell.deniability->odds == 3.0);
        CHECK(cell.deniability->words == words);
        CHECK(cell.deniability->sizes.mean ==
              Approx(sum / static_cast<double>(words)).epsilon(1e-6));
        CHECK(cell.deniability->share == Approx(shares / static_cast<double>(words)).epsilon(1e-9));
        CHECK(cell.deniability->sizes.min >= 1.0);
    }
    options.draws = 999;
    CHECK_FALSE(calibrate(space, options).value().cells[0].deniability);
}

TEST_CASE("A run with independent draws does not depend on the threads and can be stopped") {
    const auto space = test::toySpace(200, 5, 85);
    CalibrationOptions options = comparedGrid(40);
    options.words = {WordSelection::Kind::random, 60};
    options.criticalEpsilons = true;
    options.threads = 1;
    const auto one = calibrate(space, options).value();
    options.threads = 3;
    const auto three = calibrate(space, options).value();
    test::requireEqual(one, three);
    const auto partial = calibrate(space, options, test::stoppedAt(0.3)).value();
    CHECK(partial.partial);
    CHECK(partial.words > 0);
    CHECK(partial.words < 60);
    CHECK(partial.cells[0].kw);
}

TEST_CASE("Own draws for too many words are refused with a reason") {
    const auto space = test::toySpace(2100, 2, 86);
    CalibrationOptions options = comparedGrid(10);
    const auto refused = [&](const char* part) {
        test::checkRefused(validate(options, space.embedding()), ErrorCode::invalidArgument, part);
    };
    refused("at most 2,000 words, 2,100 were asked for");
    options.words = {WordSelection::Kind::random, 2000};
    CHECK(validate(options, space.embedding()));
    for (const double odds : {0.5, std::nan("")}) {
        options.deniabilityOdds = odds;
        refused("at least 1");
    }
    options.deniabilityOdds = 2.0;
    options.independentDraws = false;
    refused("needs independent draws");
}

TEST_CASE("Independent draws need memory for the outputs of every word") {
    CalibrationOptions options = comparedGrid(200);
    const double own = resultBytes(options, 1500);
    options.independentDraws = false;
    CHECK(own > resultBytes(options, 1500));
}

TEST_CASE("Deniability of TEM is exact and needs no draws of its own") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(60, 3, 88));
    const engine::SearchSpace space(handle);
    CalibrationOptions options{{.words = {WordSelection::Kind::list, 0, {3, 40}}, .draws = 1},
                               {mechanism::Tem{}, {1.0, 4.0}, {}, {2.0}}};
    CHECK_FALSE(calibrate(space, options).value().cells[0].deniability);
    options.deniabilityOdds = 1.5;
    const auto summary = calibrate(space, options).value();
    const auto metricSpace = test::metricSpaceOf(handle, metric::Metric::euclidean);
    for (const Cell& cell : summary.cells) {
        const auto mechanism = mechanism::TruncatedExponential::create(cell.epsilon, 2.0).value();
        const auto sizes =
            calibration::exactDeniability(metricSpace, mechanism, options.words.rows, 1.5).value();
        REQUIRE(cell.deniability);
        CHECK(cell.deniability->sizes.mean == Approx(0.5 * (sizes[0] + sizes[1])).epsilon(1e-12));
        CHECK(cell.deniability->words == 2);
        CHECK(cell.deniability->share == 1.0);
        CHECK_FALSE(cell.kw);
    }
}

namespace {

CalibrationOptions rerunGrid(std::vector<double> epsilons) {
    CalibrationOptions options{{.words = {WordSelection::Kind::all}, .draws = 30, .seed = 5},
                               {mechanism::Mahalanobis{}, std::move(epsilons), {0.0, 0.7}}};
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
    std::vector<double> places(402);
    std::iota(places.begin(), places.end(), 0.0);
    const auto space = test::lineSpace(places);
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
