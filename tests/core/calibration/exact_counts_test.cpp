#include "core/calibration/exact_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/curve_lines.h"
#include "core/calibration/run_curves.h"
#include "core/mechanism/unit_draws.h"
#include "core/numeric/quantile.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

constexpr int kDraws = 30;
constexpr Eigen::Index kWords = 60;  // one block: all share the same draws

RowMatrixF vectors() {
    RowMatrixF vectors = test::anisotropicVectors(kWords, 4, 77);
    vectors.row(1) = vectors.row(0);
    return vectors;
}

CalibrationOptions options() {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {1.0, 4.0, 16.0};
    options.grid.lambdas = {0.0, 0.7};
    options.words.kind = WordSelection::Kind::all;
    options.draws = kDraws;
    options.seed = 3;
    options.nearNeighbours = 7;
    return options;
}

/// Statistics of the draws of each word, one by one in float64.
struct Counts {
    std::vector<double> kept{};
    std::vector<double> distinct{};
};

Counts countsByBruteForce(const engine::SearchSpace& space, double lambda, double epsilon) {
    const RowMatrixF table = vectors();
    const auto noise =
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, lambda)
            .value();
    const RowMatrixF draws = mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(options().seed, StreamPurpose::unitDraws, 0, 0, kDraws, table.cols()),
        noise);
    Counts counts;
    for (embedding::Row word = 0; word < kWords; ++word) {
        std::set<embedding::Row> outputs;
        int kept = 0;
        for (Eigen::Index draw = 0; draw < kDraws; ++draw) {
            const embedding::Row output =
                test::bruteForceNearest(table, word, draws.row(draw).transpose(), epsilon);
            outputs.insert(output);
            kept += output == word ? 1 : 0;
        }
        counts.kept.push_back(kept);
        counts.distinct.push_back(static_cast<double>(outputs.size()));
    }
    return counts;
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void checkSummary(const statistics::Summary& found, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    CHECK(found.mean == Approx(meanOf(values)));
    CHECK(found.min == values.front());
    CHECK(found.p5 == Approx(numeric::quantileOfSorted(values, 0.05)));
    CHECK(found.p50 == Approx(numeric::quantileOfSorted(values, 0.50)));
    CHECK(found.p95 == Approx(numeric::quantileOfSorted(values, 0.95)));
    CHECK(found.max == values.back());
}

/// Epsilons between neighbouring changes, where float32 paths and float64 decisions cannot differ.
std::vector<double> epsilonsWithin(const std::vector<double>& changes, std::size_t every) {
    std::vector<double> epsilons;
    for (std::size_t i = 0; i + 1 < changes.size(); i += every) {
        if (changes[i + 1] < changes[i] * (1.0 - 1e-4)) {
            epsilons.push_back(std::sqrt(changes[i] * changes[i + 1]));
        }
    }
    return epsilons;
}

}  // namespace

TEST_CASE("N_w and S_w of every step are those of brute force") {
    const engine::SearchSpace space(test::toyEmbedding(vectors()));
    const auto curves = measureExactly(space, options()).value();
    REQUIRE(curves.size() == 2);
    for (std::size_t k = 0; k < curves.size(); ++k) {
        const std::vector<double> epsilons = epsilonsWithin(curves[k]->distinct.changes(), 9);
        REQUIRE(epsilons.size() > 30);
        const auto kept = curves[k]->kept.at(epsilons);
        const auto distinct = curves[k]->distinct.at(epsilons);
        for (std::size_t e = 0; e < epsilons.size(); ++e) {
            CAPTURE(k, epsilons[e]);
            const Counts counts = countsByBruteForce(space, options().grid.lambdas[k], epsilons[e]);
            checkSummary(kept[e].over, counts.kept);
            checkSummary(distinct[e].over, counts.distinct);
        }
    }
}

TEST_CASE("Nothing changes between two steps, and something does at each of them") {
    const engine::SearchSpace space(test::toyEmbedding(vectors()));
    const auto curve = measureExactly(space, options()).value().front();
    const std::vector<double> changes = curve->distinct.changes();
    REQUIRE(changes.size() > 500);
    REQUIRE(std::is_sorted(changes.rbegin(), changes.rend()));
    int compared = 0;
    for (std::size_t i = 0; i + 1 < changes.size(); i += 17) {
        if (changes[i + 1] < changes[i] * (1.0 - 1e-6)) {
            const std::vector<double> ends{changes[i + 1] * (1.0 + 1e-9),
                                           changes[i] * (1.0 - 1e-9)};
            const auto points = curve->distinct.at(ends);
            CHECK(points[0].over.mean == points[1].over.mean);
            CHECK(points[0].over.sd == points[1].over.sd);
            ++compared;
        }
    }
    CHECK(compared > 20);
}

TEST_CASE("Exact counts agree with a calibration at any epsilon, over several blocks") {
    // 300 words in blocks of 64, and enough moves for several histograms.
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(300, 5, 12)));
    CalibrationOptions run = options();
    run.draws = 60;
    run.grid.epsilons = {0.3, 1.7, 5.1, 9.4, 33.0, 200.0};
    const auto summary = calibrate(space, run).value();
    const auto curves = measureExactly(space, run).value();
    for (std::size_t k = 0; k < curves.size(); ++k) {
        CHECK(curves[k]->distinct.changes().size() > 8192);
        const auto distinct = curves[k]->distinct.at(run.grid.epsilons);
        const auto kept = curves[k]->kept.at(run.grid.epsilons);
        for (std::size_t e = 0; e < run.grid.epsilons.size(); ++e) {
            const Cell& cell = summary.cells[k * run.grid.epsilons.size() + e];
            CAPTURE(k, cell.epsilon);
            CHECK(distinct[e].over.mean == Approx(cell.sw.mean));
            CHECK(distinct[e].over.p5 == Approx(cell.sw.p5));
            CHECK(distinct[e].over.p95 == Approx(cell.sw.p95));
            CHECK(kept[e].over.mean == Approx(cell.nw.mean));
            CHECK(kept[e].over.p50 == Approx(cell.nw.p50));
        }
    }
}

TEST_CASE("Curves of a run are exact between the points of its grid") {
    const engine::SearchSpace space(test::toyEmbedding(vectors()));
    const auto run = runCurves(space, options()).value();
    REQUIRE(run->steps.size() == 2);
    CHECK(run->sw[1].exact);
    // Outside the grid too, which ends at 1 and 16.
    for (const double epsilon : {0.4, 1.31, 2.77, 9.1, 25.0}) {
        CAPTURE(epsilon);
        const Reading reading = readAt(*run, epsilon)[1];
        REQUIRE(reading.sw);
        CHECK(reading.swExact);
        CHECK(reading.nwExact);
        const Counts counts = countsByBruteForce(space, 0.7, epsilon);
        checkSummary(reading.sw->over, counts.distinct);
        checkSummary(reading.nw->over, counts.kept);
    }
}

TEST_CASE("Steps that do not fit into memory are not measured") {
    const engine::SearchSpace space(test::toyEmbedding(vectors()));
    CalibrationOptions large = options();
    CHECK(measuresExactly(space, large));
    // 60 words and 2 lambdas, 36 bytes a path: above 512 MiB from 124,275 draws on.
    large.draws = 124'000;
    CHECK(measuresExactly(space, large));
    large.draws = 125'000;
    CHECK_FALSE(measuresExactly(space, large));
}

TEST_CASE("Measuring steps stops when asked to") {
    const engine::SearchSpace space(test::toyEmbedding(vectors()));
    std::stop_source stop;
    stop.request_stop();
    const auto curves = measureExactly(space, options(), JobContext{stop.get_token(), {}});
    REQUIRE_FALSE(curves);
    CHECK(curves.error().code == ErrorCode::cancelled);
}
