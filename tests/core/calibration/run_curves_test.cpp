#include "core/calibration/run_curves.h"

#include <algorithm>
#include <array>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/run.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

constexpr int kCurveDraws = 30;
constexpr Eigen::Index kCurveWords = 60;  // one block: all share the same draws

RowMatrixF vectors() {
    RowMatrixF vectors = test::anisotropicVectors(kCurveWords, 4, 77);
    vectors.row(1) = vectors.row(0);
    return vectors;
}

CalibrationOptions options() {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {1.0, 4.0, 16.0};
    options.grid.lambdas = {0.0, 0.7};
    options.words.kind = WordSelection::Kind::all;
    options.draws = kCurveDraws;
    options.seed = 3;
    options.nearNeighbours = 7;
    return options;
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
        const auto found = std::find_if(along.begin(), along.end(), [epsilon](const Cell& cell) {
            return cell.epsilon == epsilon;
        });
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
