#include <algorithm>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/word_comparison.h"
#include "core/mechanism/truncated_exponential.h"
#include "tests/core/calibration/brute_runs.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/calibration/equal_runs.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;

namespace {

CalibrationOptions comparedGrid(int draws) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {2.0, 8.0};
    options.grid.lambdas = {0.0, 0.8};
    options.words.kind = WordSelection::Kind::all;
    options.draws = draws;
    options.seed = 9;
    options.independentDraws = true;
    return options;
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

double meanOf(const std::vector<std::int32_t>& numbers) {
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
        CHECK(cell.kw->mean == Approx(meanOf(shared)).epsilon(1e-6));
        CHECK(cell.kw->min == *std::min_element(shared.begin(), shared.end()));
        CHECK(cell.kw->max == *std::max_element(shared.begin(), shared.end()));
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
    options.words.kind = WordSelection::Kind::random;
    options.words.count = 60;
    options.criticalEpsilons = true;
    options.threads = 1;
    const auto one = calibrate(space, options).value();
    options.threads = 3;
    const auto three = calibrate(space, options).value();
    test::requireEqual(one, three);
    std::stop_source source;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             if (progress.fraction > 0.3) {
                                 source.request_stop();
                             }
                         }};
    const auto partial = calibrate(space, options, job).value();
    CHECK(partial.partial);
    CHECK(partial.words > 0);
    CHECK(partial.words < 60);
    CHECK(partial.cells[0].kw);
}

TEST_CASE("Own draws for too many words are refused with a reason") {
    const auto space = test::toySpace(2100, 2, 86);
    CalibrationOptions options = comparedGrid(10);
    const auto refused = [&] {
        const auto error = validate(options, space.embedding());
        return error ? error->message : std::string();
    };
    CHECK_THAT(refused(), Contains("at most 2,000 words, 2,100 were asked for"));
    options.words.kind = WordSelection::Kind::random;
    options.words.count = 2000;
    CHECK(refused().empty());
    options.deniabilityOdds = 0.5;
    CHECK_THAT(refused(), Contains("at least 1"));
    options.deniabilityOdds = std::nan("");
    CHECK_THAT(refused(), Contains("at least 1"));
    options.deniabilityOdds = 2.0;
    options.independentDraws = false;
    CHECK_THAT(refused(), Contains("needs independent draws"));
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
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{};
    options.grid.epsilons = {1.0, 4.0};
    options.grid.gammas = {2.0};
    options.words.kind = WordSelection::Kind::list;
    options.words.rows = {3, 40};
    options.draws = 1;
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
