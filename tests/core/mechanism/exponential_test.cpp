#include "core/mechanism/exponential.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/mechanism/prepared_mechanism.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

// Reference: the softmax of -epsilon d / 2 over float64 distances, written out here.

using namespace epsilens;
using namespace epsilens::mechanism;

namespace {

embedding::EmbeddingHandle ball() {
    return test::toyEmbedding(test::poincareVectors(60, 3, 0.9, 1));
}

std::vector<std::vector<double>> softmax(const metric::WordMetric& metric, double epsilon) {
    std::vector<std::vector<double>> laws;
    for (metric::Row word = 0; word < metric.embedding().wordCount(); ++word) {
        std::vector<double> law = test::distancesFrom(metric, word);
        double total = 0.0;
        for (double& value : law) {
            value = std::exp(-epsilon * value / 2.0);
            total += value;
        }
        for (double& value : law) {
            value /= total;
        }
        laws.push_back(std::move(law));
    }
    return laws;
}

calibration::CalibrationOptions gridOf(const Mechanism& mechanism) {
    calibration::CalibrationOptions options;
    options.grid = Grid::of(mechanism);
    options.grid.epsilons = {0.5, 3.0};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.nearNeighbours = 5;
    options.criticalEpsilons = true;
    return options;
}

}  // namespace

TEST_CASE("A run of the exponential mechanism holds the softmax of the distances") {
    for (const Metric metric :
         {Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare}) {
        CAPTURE(metric::metricKey(metric));
        const engine::SearchSpace space(ball());
        const Mechanism mechanism = Exponential{metric, 0.25};
        const auto options = gridOf(mechanism);
        const auto run = calibration::calibrate(space, options).value();
        REQUIRE(run.cells.size() == 2);
        const auto distances = metric::WordMetric::create(space.handle(), metric, 0.25).value();
        for (std::size_t cell = 0; cell < 2; ++cell) {
            CHECK_FALSE(run.cells[cell].gamma);
            CHECK_FALSE(run.cells[cell].beta);
            const auto laws = softmax(distances, options.grid.epsilons[cell]);
            for (std::size_t w = 0; w < laws.size(); ++w) {
                double distinct = 0.0;
                for (const double p : laws[w]) {
                    distinct += -std::expm1(options.draws * std::log1p(-p));
                }
                const double error = *run.cells[cell].relativeError;
                CHECK(run.perWord.nw[2 * w + cell] ==
                      Approx(options.draws * laws[w][w]).epsilon(error));
                CHECK(run.perWord.sw[2 * w + cell] == Approx(distinct).epsilon(error));
            }
        }
    }
}

TEST_CASE("No ratio of the exponential mechanism exceeds its guarantee, and none is capped") {
    const auto embedding = ball();
    for (const Metric metric :
         {Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare}) {
        CAPTURE(metric::metricKey(metric));
        const auto prepared =
            PreparedMechanism::create(embedding, Exponential{metric, 0.75}).value();
        for (const double epsilon : {0.1, 2.0, 20.0}) {
            const Guarantee guarantee = prepared.guarantee(epsilon).value();
            CHECK(guarantee.bound == epsilon);
            CHECK_FALSE(guarantee.cap);
            CHECK_FALSE(guarantee.gamma);
            const auto laws = softmax(prepared.metric(), epsilon);
            for (std::size_t a = 0; a < laws.size(); ++a) {
                for (std::size_t b = 0; b < laws.size(); ++b) {
                    const double most = pairLoss(
                        guarantee, prepared.metric().distance(static_cast<metric::Row>(a),
                                                              static_cast<metric::Row>(b)));
                    for (std::size_t u = 0; u < laws.size(); ++u) {
                        const double loss = std::log(laws[a][u]) - std::log(laws[b][u]);
                        REQUIRE(loss <= most * (1 + 1e-12) + 1e-12);
                    }
                }
            }
        }
    }
}

TEST_CASE("Half of the guarantee of the exponential mechanism does not hold") {
    // A lone word before a crowd: from outside of it nearly all of the normalisation changes, too.
    RowMatrixF line = RowMatrixF::Zero(200, 1);
    line(0, 0) = 1.0F;
    const auto prepared =
        PreparedMechanism::create(test::toyEmbedding(line), Exponential{}).value();
    const auto laws = softmax(prepared.metric(), 2.0);
    CHECK(std::log(laws[0][0]) - std::log(laws[1][0]) > 1.9);
    CHECK(pairLoss(prepared.guarantee(2.0).value(), 1.0) == Approx(2.0));
}

TEST_CASE("A radius beyond all words makes TEM the exponential mechanism") {
    const engine::SearchSpace space(ball());
    const auto plain = calibration::calibrate(space, gridOf(Exponential{})).value();
    const auto wide =
        calibration::calibrate(space, gridOf(Tem{Metric::euclidean, 0.5, 2.0})).value();
    CHECK(plain.perWord.nw == wide.perWord.nw);
    CHECK(plain.perWord.sw == wide.perWord.sw);
    CHECK(plain.perWord.criticalEpsilonMedian == wide.perWord.criticalEpsilonMedian);
    CHECK(Mechanism(Exponential{}).sharesUnitWith(Tem{}));
    CHECK_FALSE(Mechanism(Exponential{}).sharesUnitWith(Exponential{Metric::angular}));
}

TEST_CASE("The exponential mechanism needs a second word, and directions for angles") {
    const auto one = test::toyEmbedding(RowMatrixF::Ones(1, 2));
    CHECK_THAT(Mechanism(Exponential{}).on(one).error().message,
               Catch::Contains("at least 2 words"));
    const auto zero = test::toyEmbedding(RowMatrixF::Zero(3, 2));
    CHECK(Mechanism(Exponential{Metric::angular}).on(zero).error().code == ErrorCode::unsupported);
}
