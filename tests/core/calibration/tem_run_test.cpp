#include "core/calibration/tem_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

// Reference: TruncatedExponential::probabilities over float64 distances of metric::WordMetric.

using namespace epsilens;
using namespace epsilens::calibration;
using metric::Metric;

namespace {

CalibrationOptions temGrid() {
    CalibrationOptions options{
        {.words = {.count = 150}, .seed = 5, .nearNeighbours = 10},
        {mechanism::Tem{Metric::mahalanobis}, {0.5, 4.0, 12.0}, {0.0, 0.8}, {}, {0.001, 0.2}}};
    options.criticalEpsilons = true;
    return options;
}

struct WordValues {
    double nw = 0.0;
    double sw = 0.0;
};

WordValues exactValues(const metric::WordMetric& metric, Row word, double epsilon, double gamma,
                       int draws) {
    const auto mechanism = mechanism::TruncatedExponential::create(epsilon, gamma).value();
    const std::vector<double> law = test::lawOf(mechanism, test::distancesFrom(metric, word));
    WordValues values;
    values.nw = draws * law[static_cast<std::size_t>(word)];
    for (const double p : law) {
        values.sw += -std::expm1(draws * std::log1p(-p));
    }
    return values;
}

}  // namespace

TEST_CASE("A TEM grid holds, word by word, what the closed form gives") {
    const auto space = test::toySpace(400, 6, 81);
    const CalibrationOptions options = temGrid();
    const auto summary = calibrate(space, options).value();
    CHECK(summary.isExact());
    CHECK(summary.grid.mechanism.metric() == Metric::mahalanobis);
    CHECK(summary.substitutions == 0);
    REQUIRE(summary.cells.size() == 12);
    REQUIRE(summary.guarantees.size() == 12);
    REQUIRE(summary.perWord.words.size() == 150);
    for (std::size_t c = 0; c < 12; ++c) {
        // All epsilons of the first beta of the first lambda first.
        const Cell& cell = summary.cells[c];
        const double epsilon = options.grid.epsilons[c % 3];
        const double beta = options.grid.betas[c / 3 % 2];
        const double lambda = options.grid.lambdas[c / 6];
        const double gamma = mechanism::truncationRadius(epsilon, beta, 400).value();
        CHECK(cell.epsilon == epsilon);
        CHECK(cell.beta == beta);
        CHECK(cell.lambda == lambda);
        CHECK(cell.gamma == gamma);
        CHECK(summary.guarantees[c].gamma == gamma);
        CHECK(*summary.guarantees[c].cap == Approx(epsilon * gamma));
        CHECK(summary.guarantees[c].lambda == lambda);
        CHECK_FALSE(cell.coverage);
        const auto metric =
            metric::WordMetric::create(space.handle(), Metric::mahalanobis, lambda).value();
        for (std::size_t w = 0; w < 150; w += 7) {
            const WordValues expected =
                exactValues(metric, summary.perWord.words[w], epsilon, gamma, options.draws);
            CAPTURE(c, w);
            const double error = *cell.relativeError;
            CHECK(error < 1e-3);
            CHECK(summary.perWord.nw[w * 12 + c] == Approx(expected.nw).epsilon(error));
            CHECK(summary.perWord.sw[w * 12 + c] == Approx(expected.sw).epsilon(error));
        }
    }
}

TEST_CASE("The interval of a TEM is that of the choice of words, and N_w rises with epsilon") {
    const auto space = test::toySpace(300, 6, 82);
    const CalibrationOptions options = temGrid();
    const auto summary = calibrate(space, options).value();
    const Eigen::Map<const RowMatrixD> nw(summary.perWord.nw.data(), 150, 12);
    for (Eigen::Index c = 0; c < 12; ++c) {
        const Cell& cell = summary.cells[static_cast<std::size_t>(c)];
        const double mean = nw.col(c).mean();
        CHECK(cell.nw.mean == Approx(mean).epsilon(1e-12));
        CHECK(cell.kept == Approx(mean / options.draws).epsilon(1e-12));
        // Only the choice of words is random: SE^2 = (1 - f) s^2 / n with f = 1/2.
        const double s = std::sqrt((nw.col(c).array() - mean).square().sum() / 149);
        REQUIRE(cell.nw.ci95);
        CHECK((*cell.nw.ci95)[1] - mean == Approx(1.96 * s * std::sqrt(0.5 / 150)).epsilon(1e-9));
        CHECK(*cell.nw.sdTrue == Approx(s).epsilon(1e-9));
        for (Eigen::Index w = 0; w < 150; ++w) {
            const Eigen::Index e = c % 3;
            REQUIRE((e == 0 || nw(w, c - 1) <= nw(w, c)));
            // The critical epsilon lies where N_w passes R / 2.
            const double critical =
                summary.perWord.criticalEpsilonMedian[static_cast<std::size_t>(w * 4 + c / 3)];
            REQUIRE((nw(w, c) >= 50.0) ==
                    (options.grid.epsilons[static_cast<std::size_t>(e)] >= critical));
        }
    }
}

TEST_CASE("A lambda that stands twice in a TEM grid has the same values twice") {
    const auto space = test::toySpace(120, 4, 87);
    CalibrationOptions options = temGrid();
    options.grid = {options.grid.mechanism, {1.0}, {0.0, 0.8, 0.0}};
    const WordTable words = calibrate(space, options).value().perWord;
    REQUIRE(words.criticalEpsilonMedian.size() == 3 * words.words.size());
    for (std::size_t word = 0; word < words.words.size(); ++word) {
        CHECK(words.criticalEpsilonMedian[3 * word] == words.criticalEpsilonMedian[3 * word + 2]);
        CHECK(words.criticalEpsilonMedian[3 * word] != words.criticalEpsilonMedian[3 * word + 1]);
        CHECK(words.nw[3 * word] == words.nw[3 * word + 2]);
    }
}

TEST_CASE("A TEM run gives the same numbers for any number of threads") {
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const engine::SearchSpace space(
        test::toyEmbedding(test::anisotropicVectors(700, 5, 83) * 0.15F));
    CalibrationOptions options = temGrid();
    options.grid.mechanism = mechanism::Tem{metric};
    options.grid.gammas = {0.3, 1.0};
    options.words.count = 300;
    options.threads = 1;
    const auto one = calibrate(space, options).value();
    CHECK(one.cells.size() == (metric == Metric::mahalanobis ? 12 : 6));
    CHECK(one.grid.gammas == options.grid.gammas);
    CHECK(one.grid.betas.empty());
    CHECK_FALSE(one.cells[0].beta);
    for (const int threads : {2, 7}) {
        options.threads = threads;
        test::requireEqual(one, calibrate(space, options).value());
    }
}

TEST_CASE("All words leave nothing to chance, one word has no interval") {
    const auto space = test::toySpace(90, 4, 84);
    CalibrationOptions options = temGrid();
    options.words.kind = WordSelection::Kind::all;
    const auto all = calibrate(space, options).value();
    for (const Cell& cell : all.cells) {
        REQUIRE(cell.nw.ci95);
        CHECK((*cell.nw.ci95)[0] == cell.nw.mean);
        CHECK((*cell.nw.ci95)[1] == cell.nw.mean);
    }
    options.words = {WordSelection::Kind::list, 0, {3}};
    const auto one = calibrate(space, options).value();
    CHECK_FALSE(one.cells[0].nw.ci95);
    CHECK_FALSE(one.cells[0].nw.sdTrue);
}

TEST_CASE("Words with equal vectors are words of their own for TEM") {
    RowMatrixF vectors = test::anisotropicVectors(60, 3, 85);
    vectors.row(9) = vectors.row(4);
    const auto space = test::spaceOf(vectors);
    CalibrationOptions options = temGrid();
    options.grid.mechanism = mechanism::Tem{Metric::euclidean};
    options.grid.gammas = {0.5};
    options.grid.epsilons = {1e6};
    options.words = {WordSelection::Kind::list, 0, {4, 9, 11}};
    const auto summary = calibrate(space, options).value();
    // At a large epsilon a twin takes half of the outputs; neither is ever kept more often.
    CHECK(summary.perWord.nw[0] == Approx(50.0).epsilon(1e-6));
    CHECK(summary.perWord.nw[1] == Approx(50.0).epsilon(1e-6));
    CHECK(summary.perWord.nw[2] == Approx(100.0).epsilon(1e-6));
    CHECK(std::isinf(summary.perWord.criticalEpsilonMedian[1]));
    CHECK(std::isfinite(summary.perWord.criticalEpsilonMedian[2]));
}

TEST_CASE("A cancelled TEM run keeps its finished words") {
    const auto space = test::toySpace(700, 6, 86);
    CalibrationOptions options = temGrid();
    options.words.count = 640;
    options.threads = 1;
    std::stop_source source;
    double last = 0.0;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             CHECK(progress.fraction > last);
                             last = progress.fraction;
                             if (progress.fraction > 0.4) {
                                 source.request_stop();
                             }
                         }};
    const auto partial = calibrate(space, options, job).value();
    CHECK(partial.partial);
    CHECK(partial.words == 288);  // 9 of 20 tasks of 32 words
    CHECK(partial.wordsAsked == 640);
    REQUIRE(partial.perWord.words.size() == 288);
    CHECK(std::ranges::is_sorted(partial.perWord.words));
    // Not the first words of the file: a random part of them.
    CHECK(partial.perWord.words.back() > 600);
    test::requirePartOf(partial, calibrate(space, options).value());
    test::checkRefused(calibrate(space, options, test::stoppedJob()), ErrorCode::cancelled);
}

TEST_CASE("All words have the values of single words") {
    const auto space = test::toySpace(1100, 3, 88);
    CalibrationOptions options = temGrid();
    options.grid.mechanism = mechanism::Tem{Metric::euclidean};
    options.criticalEpsilons = false;
    options.words.kind = WordSelection::Kind::all;
    options.threads = 1;
    const auto all = calibrate(space, options).value();
    CHECK(all.words == 1100);
    std::array<CalibrationSummary, 2> shared;
    test::together(2, [&](std::size_t rank, test::ThreadCrew& crew) {
        shared.at(rank) = calibrate(space, options, {}, &crew).value();
    });
    for (const CalibrationSummary& summary : shared) {
        test::requireEqual(all, summary);
    }

    options.words = {WordSelection::Kind::list, 0, {0, 400, 1099}};
    const auto some = calibrate(space, options).value();
    for (std::size_t i = 0; i < 3; ++i) {
        const auto row = static_cast<std::size_t>(options.words.rows[i]);
        for (std::size_t c = 0; c < 6; ++c) {
            CHECK(all.perWord.nw[row * 6 + c] == Approx(some.perWord.nw[i * 6 + c]).epsilon(3e-6));
            CHECK(all.perWord.sw[row * 6 + c] == Approx(some.perWord.sw[i * 6 + c]).epsilon(3e-6));
            CHECK(all.perWord.near[row * 6 + c] ==
                  Approx(some.perWord.near[i * 6 + c]).epsilon(3e-6).margin(1e-30));
        }
    }
}
