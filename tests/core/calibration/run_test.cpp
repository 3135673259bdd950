#include "core/calibration/run.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/measurement.h"
#include "core/calibration/run_curves.h"
#include "core/embedding/load.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/noise_series.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("A run is done again over a grid with the setting that it lacks") {
    const auto space = test::toySpace(300, 8, 75);
    const CalibrationOptions options{{.words = {.count = 60}, .draws = 25},
                                     {mechanism::Mahalanobis{}, {0.5, 30.0}, {0.0, 0.8}}};
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
    const mechanism::Grid grid{
        mechanism::Tem{metric::Metric::mahalanobis}, {1.0}, {0.5}, {}, {0.001}};
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
    const auto space = test::toySpace(60, 4, 31);
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
    const auto space = test::toySpace(60, 4, 31);
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
    const auto space = test::toySpace(60, 4, 31);
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
    const embedding::LoadOptions load{.path = "sample", .limitRows = 4'000};
    const engine::SearchSpace space(embedding::openAndPrepare(load).value());
    const CalibrationOptions options{{.words = {.count = 5}, .draws = 10},
                                     {mechanism::Mahalanobis{}, {4.0, 9.0}, {0.0, 0.5}}};
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

namespace {

constexpr int kCurveDraws = 30;
constexpr Eigen::Index kCurveWords = 60;  // one block: all share the same draws

RowMatrixF vectors() {
    RowMatrixF vectors = test::anisotropicVectors(kCurveWords, 4, 77);
    vectors.row(1) = vectors.row(0);
    return vectors;
}

CalibrationOptions options() {
    return {
        {.words = {WordSelection::Kind::all}, .draws = kCurveDraws, .seed = 3, .nearNeighbours = 7},
        {mechanism::Mahalanobis{}, {1.0, 4.0, 16.0}, {0.0, 0.7}}};
}

/// What a measurement of the same words and draws says (measurement_test.cpp).
void checkSame(const Cell& cell, const Measurement& response) {
    const Cell expected = response.cellsAt(std::array{cell.epsilon}).front();
    for (const auto of : {&Cell::nw, &Cell::sw}) {
        for (const auto field :
             {&calibration::Summary::mean, &calibration::Summary::p5, &calibration::Summary::max}) {
            CHECK(cell.*of.*field == expected.*of.*field);
        }
    }
}

RunCurvesHandle measured(const engine::SearchSpace& space, const CalibrationOptions& options) {
    return withResponses(space, runCurves(space, options).value()).value();
}

}  // namespace

TEST_CASE("Curves of a run are exact at every epsilon") {
    const auto space = test::spaceOf(vectors());
    const auto run = measured(space, options());
    REQUIRE(run->responses.size() == 2);
    CHECK(run->isExact());
    CHECK_FALSE(lacksResponses(*run));
    for (std::size_t k = 0; k < 2; ++k) {
        const auto response =
            measure(space, {options(), mechanism::Mahalanobis{options().grid.lambdas[k]}}).value();
        // Outside the grid too, which ends at 1 and 16.
        for (const double epsilon : {0.4, 1.7, 5.0, 31.0}) {
            CAPTURE(k, epsilon);
            const Reading reading = readCurve(*run, k, epsilon);
            REQUIRE(reading.cell);
            CHECK(reading.isExact);
            checkSame(*reading.cell, *response);
        }
        const std::vector<Cell>& line = run->curves[k].line;
        CHECK(line.front().epsilon == Approx(0.1));
        CHECK(line.back().epsilon == Approx(160.0));
        for (std::size_t i = 0; i < line.size(); i += 40) {
            checkSame(line[i], *response);
        }
        CHECK(run->curves[k].markers.size() == 3);
    }
}

TEST_CASE("A run that a session kept gets the same responses later") {
    const auto space = test::spaceOf(vectors());
    CalibrationOptions asked = options();
    SECTION("with the draws of blocks") {}
    SECTION("with draws of its own for each word") {
        asked.independentDraws = true;
    }
    const auto run = measured(space, asked);
    const auto kept = std::make_shared<const RunCurves>(arrange(run->run));
    CHECK(lacksResponses(*kept));
    CHECK(kept->curves[1].line.size() == 3);
    const auto after = withResponses(space, kept).value();
    CHECK_FALSE(lacksResponses(*after));
    for (const double epsilon : {0.4, 2.77, 25.0}) {
        CHECK(readCurve(*after, 1, epsilon).cell->sw.mean ==
              readCurve(*run, 1, epsilon).cell->sw.mean);
        CHECK(readCurve(*after, 0, epsilon).cell->nw.p95 ==
              readCurve(*run, 0, epsilon).cell->nw.p95);
    }
    test::checkRefused(withResponses(space, kept, test::stoppedJob()), ErrorCode::cancelled);

    // Of other settings than its cells, or in part, it says nothing about the words and draws.
    Run other = *run->run;
    other.request.options.draws = kCurveDraws + 1;
    CHECK_FALSE(lacksResponses(arrange(std::make_shared<const Run>(other))));
    CalibrationSummary partial = run->summary();
    partial.partial = true;
    other = *run->run;
    other.summary = std::make_shared<const CalibrationSummary>(partial);
    CHECK_FALSE(lacksResponses(arrange(std::make_shared<const Run>(other))));
    // 410 bytes a draw, of 30 draws at two lambdas: 512 MiB are those of 21,824 words.
    partial.partial = false;
    for (const std::int64_t words : {21'824, 21'825}) {
        partial.words = words;
        other.summary = std::make_shared<const CalibrationSummary>(partial);
        CHECK(lacksResponses(arrange(std::make_shared<const Run>(other))) == (words == 21'824));
    }
}

TEST_CASE("Curves of a document that lacks its last cell are as long as what it has") {
    const auto space = test::spaceOf(vectors());
    Run run = *runCurves(space, options()).value()->run;
    CalibrationSummary summary = *run.summary;
    const std::size_t epsilons = summary.grid.epsilons.size();
    summary.cells.pop_back();
    run.summary = std::make_shared<const CalibrationSummary>(summary);
    const RunCurves curves = arrange(std::make_shared<const Run>(run));
    CHECK(curves.curves.front().markers.size() == epsilons);
    CHECK(curves.curves.back().markers.size() == epsilons - 1);
}

TEST_CASE("Readings without responses are interpolated in log epsilon") {
    const auto space = test::spaceOf(vectors());
    const RunCurves run = arrange(runCurves(space, options()).value()->run);
    // The middle between 4 and 16 is 8.
    const Reading reading = readCurve(run, 1, 8.0);
    CHECK_FALSE(reading.isExact);
    const std::vector<Cell>& markers = run.curves[1].markers;
    CHECK(reading.cell->sw.mean == Approx(0.5 * (markers[1].sw.mean + markers[2].sw.mean)));
    CHECK(readCurve(run, 1, 4.0).isExact);
    CHECK(readCurve(run, 1, 4.0).cell->nw.mean == markers[1].nw.mean);
    CHECK_FALSE(readCurve(run, 1, 17.0).cell);
}

// What a report draws through: at the epsilons of the run the same values, and many more.
TEST_CASE("A family along the axis has the values of the run") {
    const auto space = test::spaceOf(vectors());
    CalibrationOptions asked = options();
    double exact = 1e-12;
    SECTION("in steps") {}
    SECTION("in closed form") {
        asked.grid = mechanism::Grid::of(mechanism::Tem{});
        asked.grid.epsilons = options().grid.epsilons;
        exact = 1e-3;
    }
    const Run run = *runCurves(space, asked).value()->run;
    const mechanism::Mechanism family = run.summary->grid.mechanisms().back();
    const std::vector<Cell> along = familyAlongAxis(run, family, space, 0.01).value();
    CHECK(along.size() > 200);
    // Drawings go from cell to cell.
    CHECK(std::ranges::is_sorted(along, {}, &Cell::epsilon));
    CHECK(along.front().epsilon == Approx(0.01));
    for (const double epsilon : asked.grid.epsilons) {
        const auto found = std::ranges::find_if(
            along, [epsilon](const Cell& cell) { return cell.epsilon == epsilon; });
        REQUIRE(found != along.end());
        const Cell& expected = run.summary->cells[*cellOf(run.summary->grid, {family, epsilon})];
        CHECK(found->nw.mean == Approx(expected.nw.mean).epsilon(exact));
        CHECK(found->near == Approx(expected.near).epsilon(exact).margin(1e-6));
    }
    Run partial = run;
    CalibrationSummary summary = *run.summary;
    summary.partial = true;
    partial.summary = std::make_shared<const CalibrationSummary>(summary);
    CHECK(familyAlongAxis(partial, family, space, 0.0).value().empty());
}
