#include "core/calibration/tem_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/core/calibration/equal_runs.h"
#include "tests/support/brute_force.h"
#include "tests/support/thread_crew.h"
#include "tests/support/toy_embedding.h"

// Reference: TruncatedExponential::probabilities over float64 distances of metric::WordMetric.

using namespace epsilens;
using namespace epsilens::calibration;
using metric::Metric;

namespace {

CalibrationOptions temGrid() {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{Metric::mahalanobis};
    options.grid.epsilons = {0.5, 4.0, 12.0};
    options.grid.lambdas = {0.0, 0.8};
    options.grid.betas = {0.001, 0.2};
    options.words.count = 150;
    options.seed = 5;
    options.nearNeighbours = 10;
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
    const std::vector<double> law = mechanism.probabilities(test::distancesFrom(metric, word));
    WordValues values;
    values.nw = draws * law[static_cast<std::size_t>(word)];
    for (const double p : law) {
        values.sw += -std::expm1(draws * std::log1p(-p));
    }
    return values;
}

}  // namespace

TEST_CASE("A TEM grid holds, word by word, what the closed form gives") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(400, 6, 81)));
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
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(300, 6, 82)));
    const CalibrationOptions options = temGrid();
    const auto summary = calibrate(space, options).value();
    for (std::size_t c = 0; c < summary.cells.size(); ++c) {
        const Cell& cell = summary.cells[c];
        double nw = 0.0;
        double squares = 0.0;
        for (std::size_t w = 0; w < 150; ++w) {
            nw += summary.perWord.nw[w * 12 + c];
        }
        for (std::size_t w = 0; w < 150; ++w) {
            squares += std::pow(summary.perWord.nw[w * 12 + c] - nw / 150, 2);
        }
        CHECK(cell.nw.mean == Approx(nw / 150).epsilon(1e-12));
        CHECK(cell.kept == Approx(cell.nw.mean / options.draws).epsilon(1e-12));
        // Only the choice of words is random: SE^2 = (1 - f) s^2 / n with f = 1/2.
        const double s = std::sqrt(squares / 149);
        REQUIRE(cell.nw.ci95);
        CHECK((*cell.nw.ci95)[1] - cell.nw.mean ==
              Approx(1.96 * s * std::sqrt(0.5 / 150)).epsilon(1e-9));
        CHECK(*cell.nw.sdTrue == Approx(s).epsilon(1e-9));
    }
    // N_w rises with epsilon for every word, at every lambda and beta.
    for (std::size_t w = 0; w < 150; ++w) {
        for (std::size_t column = 0; column < 4; ++column) {
            const std::size_t first = w * 12 + column * 3;
            REQUIRE(summary.perWord.nw[first] <= summary.perWord.nw[first + 1]);
            REQUIRE(summary.perWord.nw[first + 1] <= summary.perWord.nw[first + 2]);
            // The critical epsilon lies where N_w passes R / 2.
            const double critical = summary.perWord.criticalEpsilonMedian[w * 4 + column];
            for (std::size_t e = 0; e < 3; ++e) {
                REQUIRE((summary.perWord.nw[first + e] >= 50.0) ==
                        (options.grid.epsilons[e] >= critical));
            }
        }
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
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(90, 4, 84)));
    CalibrationOptions options = temGrid();
    options.words.kind = WordSelection::Kind::all;
    const auto all = calibrate(space, options).value();
    for (const Cell& cell : all.cells) {
        REQUIRE(cell.nw.ci95);
        CHECK((*cell.nw.ci95)[0] == cell.nw.mean);
        CHECK((*cell.nw.ci95)[1] == cell.nw.mean);
    }
    options.words.kind = WordSelection::Kind::list;
    options.words.rows = {3};
    const auto one = calibrate(space, options).value();
    CHECK_FALSE(one.cells[0].nw.ci95);
    CHECK_FALSE(one.cells[0].nw.sdTrue);
}

TEST_CASE("Words with equal vectors are words of their own for TEM") {
    RowMatrixF vectors = test::anisotropicVectors(60, 3, 85);
    vectors.row(9) = vectors.row(4);
    const engine::SearchSpace space(test::toyEmbedding(vectors));
    CalibrationOptions options = temGrid();
    options.grid.mechanism = mechanism::Tem{Metric::euclidean};
    options.grid.gammas = {0.5};
    options.grid.epsilons = {1e6};
    options.words.kind = WordSelection::Kind::list;
    options.words.rows = {4, 9, 11};
    const auto summary = calibrate(space, options).value();
    // At a large epsilon a twin takes half of the outputs; neither is ever kept more often.
    CHECK(summary.perWord.nw[0] == Approx(50.0).epsilon(1e-6));
    CHECK(summary.perWord.nw[1] == Approx(50.0).epsilon(1e-6));
    CHECK(summary.perWord.nw[2] == Approx(100.0).epsilon(1e-6));
    CHECK(std::isinf(summary.perWord.criticalEpsilonMedian[1]));
    CHECK(std::isfinite(summary.perWord.criticalEpsilonMedian[2]));
}

TEST_CASE("A cancelled TEM run keeps its finished words") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(700, 6, 86)));
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
    CHECK(std::is_sorted(partial.perWord.words.begin(), partial.perWord.words.end()));
    // Not the first words of the file: a random part of them.
    CHECK(partial.perWord.words.back() > 600);
    const auto whole = calibrate(space, options).value();
    for (std::size_t i = 0; i < 288; ++i) {
        const auto found = std::find(whole.perWord.words.begin(), whole.perWord.words.end(),
                                     partial.perWord.words[i]);
        REQUIRE(found != whole.perWord.words.end());
        const auto place = static_cast<std::size_t>(found - whole.perWord.words.begin());
        REQUIRE(partial.perWord.nw[i * 12] == whole.perWord.nw[place * 12]);
    }
    std::stop_source stopped;
    stopped.request_stop();
    const auto none = calibrate(space, options, JobContext{stopped.get_token(), {}});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::cancelled);
}

TEST_CASE("All words have the values of single words") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(1100, 3, 88)));
    CalibrationOptions options = temGrid();
    options.grid.mechanism = mechanism::Tem{Metric::euclidean};
    options.criticalEpsilons = false;
    options.words.kind = WordSelection::Kind::all;
    options.threads = 1;
    const auto all = calibrate(space, options).value();
    CHECK(all.words == 1100);
    options.threads = 2;
    test::requireEqual(all, calibrate(space, options).value());
    std::array<CalibrationSummary, 2> shared;
    test::together(2, [&](std::size_t rank, test::ThreadCrew& crew) {
        shared.at(rank) = calibrate(space, options, {}, &crew).value();
    });
    for (const CalibrationSummary& summary : shared) {
        test::requireEqual(all, summary);
    }

    options.words.kind = WordSelection::Kind::list;
    options.words.rows = {0, 400, 1099};
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

TEST_CASE("Impossible options of a TEM are refused with the allowed range") {
    RowMatrixF vectors = test::anisotropicVectors(5, 8, 87);
    vectors.row(2).setZero();
    const auto handle = test::toyEmbedding(vectors);
    using Options = CalibrationOptions;
    const auto message = [&](auto change) {
        Options options = temGrid();
        options.grid.lambdas = {0.5};
        change(options);
        const auto error = validate(options, *handle);
        return error ? error->message : std::string();
    };
    CHECK(message([](Options&) {}).empty());
    CHECK_THAT(message([](Options& o) { o.grid.betas = {0.9}; }),
               Catch::Contains("(V - 1)/V = 0.8"));
    CHECK_THAT(message([](Options& o) { o.grid.betas = {}; }), Catch::Contains("neither"));
    CHECK_THAT(message([](Options& o) { o.grid.gammas = {-1.0}; }), Catch::Contains("at least 0"));
    CHECK_THAT(message([](Options& o) { o.grid.epsilons = {0.0}; }), Catch::Contains("above 0"));
    CHECK_THAT(message([](Options& o) { o.grid.lambdas = {1.0}; }), Catch::Contains("0.99"));
    CHECK_THAT(message([](Options& o) { o.grid.lambdas = {}; }), Catch::Contains("no lambda"));
    CHECK_THAT(message([](Options& o) { o.grid.mechanism = mechanism::Tem{Metric::angular}; }),
               Catch::Contains("1 rows are zero"));
    CHECK_THAT(message([](Options& o) { o.grid.mechanism = mechanism::Tem{Metric::poincare}; }),
               Catch::Contains("rows have norm ≥ 1"));
    CHECK_THAT(message([](Options& o) { o.grid.mechanism = mechanism::Hyperbolic{}; }),
               Catch::Contains("hyperbolic"));
    // Without a Mahalanobis distance there is no lambda to refuse.
    CHECK(message([](Options& o) {
              o.grid.mechanism = mechanism::Tem{Metric::euclidean};
              o.grid.lambdas = {7.0};
          }).empty());
}
