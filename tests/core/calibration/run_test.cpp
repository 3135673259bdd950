#include "core/calibration/run.h"

#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/examples.h"
#include "core/calibration/measurement.h"
#include "core/calibration/run_curves.h"
#include "core/embedding/load.h"
#include "core/engine/create_series.h"
#include "core/engine/noise_draws.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("A run is done again over a grid with the setting that it lacks") {
    const auto space = test::toySpace(300, 8, 75);
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {0.5, 30.0};
    options.grid.lambdas = {0.0, 0.8};
    options.words.count = 60;
    options.draws = 25;
    const auto run = std::make_shared<const Run>(
        describeRun(space, calibrate(space, options).value(), {{}, options}).value());
    const mechanism::Setting setting{mechanism::Mahalanobis{0.3}, 7.37882};

    CHECK_FALSE(cellOf(run->summary->grid, setting));
    const auto wider = runWith(run, setting, space).value();
    CHECK(wider->request.options.grid.epsilons == std::vector{0.5, 7.37882, 30.0});
    CHECK(wider->request.options.grid.lambdas == std::vector{0.0, 0.3, 0.8});
    REQUIRE(cellOf(wider->summary->grid, setting) == 4);
    const Cell& cell = wider->summary->cells[4];
    CHECK(cell.epsilon == 7.37882);
    CHECK(cell.lambda == 0.3);
    // The measurement finds the same outputs without a grid.
    const auto measured = measure(space, MeasurementOptions{options, setting.mechanism}).value();
    const Cell exact = measured->cellsAt(std::vector{setting.epsilon}).front();
    CHECK(cell.nw.mean == exact.nw.mean);
    CHECK(cell.nw.p95 == exact.nw.p95);
    CHECK(cell.sw.mean == exact.sw.mean);
    // What was there stays: the last cell is that of the largest values.
    CHECK(wider->summary->cells.back().nw.mean == run->summary->cells.back().nw.mean);
    CHECK(wider->worstWords.size() == wider->summary->cells.size());

    CHECK(runWith(wider, setting, space).value() == wider);
}

TEST_CASE("A grid takes in a radius of its own kind and gives way to another") {
    const mechanism::Setting byBeta{mechanism::Tem{metric::Metric::mahalanobis, 0.5, {}, 0.25},
                                    2.0};
    const mechanism::Setting byGamma{mechanism::Tem{metric::Metric::mahalanobis, 0.5, 3.0}, 2.0};
    mechanism::Grid grid;
    grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    grid.epsilons = {1.0};
    grid.lambdas = {0.5};
    grid.betas = {0.001};

    const mechanism::Grid betas = including(grid, byBeta);
    CHECK(betas.betas == std::vector{0.001, 0.25});
    CHECK(cellOf(betas, byBeta) == 3);
    CHECK_FALSE(cellOf(betas, byGamma));
    const mechanism::Grid gammas = including(betas, byGamma);
    CHECK(gammas.gammas == std::vector{3.0});
    CHECK(cellOf(gammas, byGamma) == 1);
    CHECK(cellOf(including(gammas, byBeta), byBeta) == 1);
    CHECK(including(betas, byBeta) == betas);
}

TEST_CASE("A run whose cells are no grid is of no axis") {
    CalibrationSummary summary;
    summary.grid.epsilons = {1.0, 2.0};
    summary.cells.resize(2);
    summary.cells[0].epsilon = 1.0;
    Run run;
    run.request.options.epsilonAxis = true;
    for (const double second : {1.0, 2.0}) {
        summary.cells[1].epsilon = second;
        run.summary = std::make_shared<const CalibrationSummary>(summary);
        CHECK(isOfAxis(run) == (second == 2.0));
    }
}

namespace {

engine::SearchSpace toySpace() {
    return engine::SearchSpace(test::toyEmbedding(test::anisotropicVectors(60, 4, 31)));
}

std::vector<Cell> cellsAt(std::initializer_list<std::pair<double, double>> settings) {
    std::vector<Cell> cells;
    for (const auto& [epsilon, lambda] : settings) {
        cells.emplace_back().epsilon = epsilon;
        cells.back().lambda = lambda;
    }
    return cells;
}

}  // namespace

// Paths find the outputs of the same draws in another way: as exact functions of epsilon.
TEST_CASE("Each word of an example has a draw of its own, at every cell") {
    const engine::SearchSpace space = toySpace();
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    const std::vector<Cell> cells = cellsAt({{2.0, 0.0}, {2.0, 0.7}, {9.0, 0.0}, {9.0, 0.7}});
    const std::array<std::string, 2> texts{"w0 w3 w1", "w9 w0"};
    constexpr std::uint64_t kSeed = 5;
    const auto examples = examplesOf(space, mechanism::Mahalanobis{}, cells, texts, kSeed).value();
    REQUIRE(examples.size() == cells.size());
    const std::vector<std::vector<Row>> rows{{0, 3, 1}, {9, 0}};
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const auto series =
            engine::createSeries(space, mechanism::Mahalanobis{}, {cells[cell].lambda}).value();
        std::uint64_t seed = kSeed;
        for (std::size_t text = 0; text < texts.size(); ++text) {
            const Example& example = examples[cell][text];
            CHECK(example.text == texts[text]);
            REQUIRE(example.outputs.size() == Example::kOutputs);
            std::vector<std::string> expected(Example::kOutputs);
            for (std::size_t i = 0; i < rows[text].size(); ++i, ++seed) {
                const auto paths =
                    engine::computePaths(*series, std::vector{rows[text][i]}, {10, seed}).value();
                for (std::size_t k = 0; k < Example::kOutputs; ++k) {
                    expected[k] +=
                        (i == 0 ? "" : " ") +
                        std::string(vocabulary.word(paths.front()[k].output(cells[cell].epsilon)));
                }
            }
            CHECK(example.outputs == expected);
        }
    }
}

TEST_CASE("Under next to no noise a text stays as it is, but for what the vocabulary lacks") {
    const engine::SearchSpace space = toySpace();
    const std::array<std::string, 2> texts{"W0, or\nw1?", "nothing known"};
    for (const mechanism::Mechanism& mechanism :
         {mechanism::Mechanism(mechanism::Mahalanobis{}), mechanism::Mechanism(mechanism::Tem{}),
          mechanism::Mechanism(mechanism::Exponential{})}) {
        std::vector<Cell> cells = cellsAt({{1e6, 0.5}});
        cells.front().gamma = 2.0;
        const auto examples = examplesOf(space, mechanism, cells, texts, 1).value();
        REQUIRE(examples.front().size() == 1);
        const Example& example = examples.front().front();
        CHECK(example.text == "W0, or w1?");
        CHECK(example.outputs == std::vector<std::string>(10, "W0, ▇▇▇ w1?"));
    }
}

TEST_CASE("A long text is shown by its first words") {
    const engine::SearchSpace space = toySpace();
    std::string text;
    for (int word = 0; word < 60; ++word) {
        text += word == 0 ? "w0" : " w0";
    }
    const auto examples =
        examplesOf(space, mechanism::Laplace{}, cellsAt({{1e6, 0.0}}), std::array{text}, 1).value();
    const std::string expected = text.substr(0, 40 * 3 - 1) + " …";
    CHECK(examples.front().front().text == expected);
    CHECK(examples.front().front().outputs.back() == expected);
}

TEST_CASE("The sentences of which a vocabulary knows the most words are the examples") {
    embedding::Vocabulary vocabulary;
    for (const char* word : {"we", "will", "take", "the", "early", "train", "from", "paris", "to",
                             "london", "tomorrow", "please", "send", "money", "for", "rent"}) {
        REQUIRE(vocabulary.add(word));
    }
    // Eleven of 11 words, 8 of 11 and 3 of 11.
    CHECK(builtInTexts(vocabulary) ==
          std::vector<std::string>{"We will take the early train from Paris to London tomorrow",
                                   "Please send the money for the rent to my bank today"});
    CHECK(builtInTexts(embedding::Vocabulary{}).empty());
}

TEST_CASE("A run for curves has the examples of its grid, as any other run") {
    embedding::LoadOptions load;
    load.path = "sample";
    load.limitRows = 4'000;
    const engine::SearchSpace space(embedding::openAndPrepare(load).value());
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {4.0, 9.0};
    options.grid.lambdas = {0.0, 0.5};
    options.words.count = 5;
    options.draws = 10;
    const auto curves = runCurves(space, options).value();
    const auto run =
        describeRun(space, calibrate(space, options).value(), keptRequest(load, options)).value();
    REQUIRE(run.examples.size() == 4);
    REQUIRE(curves->run->examples.size() == 4);
    for (std::size_t cell = 0; cell < 4; ++cell) {
        REQUIRE(run.examples[cell].size() == 2);
        CHECK(run.examples[cell][1].outputs == curves->run->examples[cell][1].outputs);
    }
}
