#include "core/mechanism/truncated_exponential.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/mechanism/kinds.h"
#include "core/mechanism/prepared_mechanism.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;
using metric::WordMetric;

namespace {

using Distances = std::vector<double>;

TruncatedExponential tem(double epsilon, double gamma) {
    return TruncatedExponential::create(epsilon, gamma).value();
}

std::vector<Distances> tableOf(const WordMetric& metric) {
    std::vector<Distances> table;
    table.reserve(static_cast<std::size_t>(metric.embedding().wordCount()));
    for (metric::Row word = 0; word < metric.embedding().wordCount(); ++word) {
        table.push_back(test::distancesFrom(metric, word));
    }
    return table;
}

// Largest of ln p(u|w) - ln p(u|w') - bound(w, w') over all w, w', u.
double largestExcess(const std::vector<Distances>& table,
                     const std::function<Distances(const Distances&)>& law,
                     const std::function<double(double)>& bound) {
    std::vector<Distances> laws;
    laws.reserve(table.size());
    for (const Distances& distances : table) {
        laws.push_back(law(distances));
    }
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < table.size(); ++a) {
        for (std::size_t b = 0; b < table.size(); ++b) {
            for (std::size_t u = 0; a != b && u < table.size(); ++u) {
                largest = std::max(
                    largest, std::log(laws[a][u]) - std::log(laws[b][u]) - bound(table[a][b]));
            }
        }
    }
    return largest;
}

double massBeyond(const TruncatedExponential& mechanism, const Distances& distances) {
    const Distances law = test::lawOf(mechanism, distances);
    double mass = 0.0;
    for (std::size_t u = 0; u < law.size(); ++u) {
        mass += distances[u] > mechanism.gamma() ? law[u] : 0.0;
    }
    return mass;
}

}  // namespace

TEST_CASE("The radius inverts the error probability and falls with epsilon and beta") {
    // The paper's setting: V = 400,000, beta = 0.001 give epsilon gamma = 2 ln(0.999 399999 /
    // 0.001).
    CHECK(truncationRadius(1.0, 0.001, 400'000).value() == Approx(39.6).epsilon(1e-3));
    for (const double epsilon : {1e-300, 1e-3, 2.0, 700.0, 1e300}) {
        for (const double beta : {1e-300, 1e-9, 0.001, 0.4, 0.9}) {
            const double gamma = truncationRadius(epsilon, beta, 1000).value();
            // Mass beyond gamma of a word that has all others there.
            const double outside = 999.0 * std::exp(-0.5 * epsilon * gamma);
            CHECK(outside / (1.0 + outside) == Approx(beta).epsilon(1e-9));
            CHECK(truncationRadius(1.5 * epsilon, beta, 1000).value() < gamma);
            CHECK(truncationRadius(epsilon, 1.1 * beta, 1000).value() < gamma);
        }
    }
    CHECK(truncationRadius(3.0, 0.9, 10).value() == Approx(0.0).margin(1e-15));
    CHECK(truncationRadius(3.0, 2.0 / 3.0, 3).value() >= 0.0);
}

TEST_CASE("Radii and settings outside their range are refused with the allowed one") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const auto refused = [](const auto& result) {
        return !result && result.error().code == ErrorCode::invalidArgument;
    };
    for (const double epsilon : {0.0, -1.0, kNan, kInfinite}) {
        CHECK(refused(truncationRadius(epsilon, 0.001, 100)));
        CHECK(refused(TruncatedExponential::create(epsilon, 1.0)));
    }
    for (const double beta : {0.0, -0.1, 0.991, 1.0, 2.0, kNan}) {
        CHECK(refused(truncationRadius(1.0, beta, 100)));
        CHECK(refused(Truncation::byErrorProbability(beta, 100)));
    }
    for (const double gamma : {-1e-300, -1.0, kNan}) {
        CHECK(refused(TruncatedExponential::create(1.0, gamma)));
        CHECK(refused(Truncation::byRadius(gamma)));
    }
    CHECK(refused(Truncation::byRadius(kInfinite)));
    CHECK(refused(truncationRadius(1.0, 0.5, 1)));
    CHECK(refused(truncationRadius(1e-307, 0.001, 100)));
    CHECK_THAT(truncationRadius(1.0, 0.995, 100).error().message, Catch::Contains("0.99"));
}

TEST_CASE("The closed form is what the algorithm with its element for the rest gives") {
    const Distances distances{0.7, 0.0, 3.2, 0.7, 1.9, 0.0, 8.0, 2.5};
    for (const double gamma : {0.0, 0.5, 0.7, 2.0, 2.5, 8.0, 20.0}) {
        const double epsilon = 1.3;
        // Softmax of the scores over 2 / epsilon, the rest shared evenly.
        double total = 0.0;
        double outside = 0.0;
        for (const double d : distances) {
            (d <= gamma ? total : outside) += d <= gamma ? std::exp(-0.5 * epsilon * d) : 1.0;
        }
        const double rest =
            outside > 0.0 ? std::exp(0.5 * epsilon * (-gamma + 2.0 / epsilon * std::log(outside)))
                          : 0.0;
        const Distances law = test::lawOf(tem(epsilon, gamma), distances);
        for (std::size_t u = 0; u < distances.size(); ++u) {
            const double expected = distances[u] <= gamma
                                        ? std::exp(-0.5 * epsilon * distances[u]) / (total + rest)
                                        : rest / outside / (total + rest);
            CAPTURE(gamma, u);
            CHECK(law[u] == Approx(expected).epsilon(1e-13));
        }
    }
}

TEST_CASE("Probabilities are numbers that sum to 1 from epsilon 1e-300 to 1e300") {
    Distances distances(1000);
    for (std::size_t u = 0; u < distances.size(); ++u) {
        distances[u] = static_cast<double>(u) * 0.01;
    }
    for (const double epsilon : {1e-300, 1e-20, 1.0, 1e20, 1e300}) {
        for (const double gamma : {0.0, 1e-300, 1.0, 1e300}) {
            const Distances law = test::lawOf(tem(epsilon, gamma), distances);
            CAPTURE(epsilon, gamma);
            CHECK(std::accumulate(law.begin(), law.end(), 0.0) == Approx(1.0).epsilon(1e-12));
            CHECK(law[0] >= 0.001 * (1.0 - 1e-12));
        }
    }
}

TEST_CASE("No ratio of probabilities exceeds epsilon min(d, gamma), in any metric") {
    const Metric kind =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    RowMatrixF vectors = test::anisotropicVectors(40, 3, 41) * 0.2F;
    vectors.row(7) = vectors.row(6);
    const auto metric = WordMetric::create(test::toyEmbedding(vectors), kind, 0.5).value();
    const std::vector<Distances> table = tableOf(metric);
    for (const double epsilon : {0.1, 2.0, 30.0}) {
        for (const double gamma : {0.0, 0.1, 0.4, 100.0}) {
            const TruncatedExponential mechanism = tem(epsilon, gamma);
            const Guarantee guarantee = mechanism.guarantee(metric);
            const auto law = [&](const Distances& d) { return test::lawOf(mechanism, d); };
            CAPTURE(metric::metricName(kind), epsilon, gamma);
            CHECK(largestExcess(table, law, [&](double d) {
                      return guarantee.bound * std::min(d, *guarantee.gamma);
                  }) <= 1e-9);
            CHECK(largestExcess(table, law, [&](double) { return *guarantee.cap; }) <= 1e-9);
        }
    }
}

TEST_CASE("The bound is approached by a lone word before a crowd, within and at the radius") {
    // 1000 words at one place, one at distance 1: derivation in truncated_exponential.md.
    RowMatrixF vectors = RowMatrixF::Zero(1001, 1);
    vectors(0, 0) = 1.0F;
    const auto metric = WordMetric::create(test::toyEmbedding(vectors), Metric::euclidean).value();
    const Distances lone = test::distancesFrom(metric, 0);
    const Distances crowd = test::distancesFrom(metric, 1);
    const auto loss = [&](const TruncatedExponential& mechanism) {
        return std::log(test::lawOf(mechanism, lone)[0] / test::lawOf(mechanism, crowd)[0]);
    };
    for (const double gamma : {5.0, 1.0, 0.6}) {
        const double bound = 2.0 * std::min(1.0, gamma);
        CHECK(loss(tem(2.0, gamma)) <= bound);
        CHECK(loss(tem(2.0, gamma)) >= bound - 0.003);
    }
    // Weights exp(-epsilon d) instead of exp(-epsilon d / 2) are noticed.
    CHECK(loss(tem(2.0 * 2.0, 5.0)) - 2.0 > 1.9);
}

TEST_CASE("The output leaves the radius of beta with at most that probability; tight when alone") {
    const auto metric = WordMetric::create(test::toyEmbedding(test::anisotropicVectors(300, 5, 42)),
                                           Metric::euclidean)
                            .value();
    for (const double beta : {1e-6, 0.001, 0.3, 0.99}) {
        const Truncation truncation = Truncation::byErrorProbability(beta, 300).value();
        CHECK(truncation.beta() == beta);
        for (const double epsilon : {0.5, 5.0, 50.0, 500.0}) {
            const TruncatedExponential mechanism = truncation.at(epsilon).value();
            for (const metric::Row word : {0, 13, 299}) {
                CHECK(massBeyond(mechanism, test::distancesFrom(metric, word)) <=
                      beta * (1.0 + 1e-12));
            }
        }
        const TruncatedExponential narrow = truncation.at(1e9).value();
        CHECK(massBeyond(narrow, test::distancesFrom(metric, 13)) == Approx(beta).epsilon(1e-9));
    }
}

TEST_CASE("The guarantee states metric, radius and cap") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(60, 4, 43) * 0.1F);
    const auto on = [&](Metric metric) {
        return tem(3.0, 2.0).guarantee(WordMetric::create(handle, metric, 0.5).value());
    };
    const Guarantee euclidean = on(Metric::euclidean);
    CHECK(euclidean.bound == 3.0);
    CHECK(euclidean.cap == 6.0);
    CHECK(euclidean.gamma == 2.0);
    CHECK(euclidean.statement == "ε·min(‖·‖₂, γ)");
    CHECK((*euclidean.euclidean)[1] == 3.0);
    const Guarantee mahalanobis = on(Metric::mahalanobis);
    CHECK(mahalanobis.metric == Metric::mahalanobis);
    CHECK(mahalanobis.lambda == 0.5);
    CHECK((*mahalanobis.euclidean)[0] < 3.0);
    CHECK((*mahalanobis.euclidean)[1] > 3.0);
    CHECK_FALSE(on(Metric::angular).euclidean);
    CHECK(on(Metric::poincare).statement == "ε·min(d_H, γ)");
    const auto metric = WordMetric::create(handle, Metric::euclidean).value();
    CHECK_FALSE(tem(1e300, 1e300).guarantee(metric).cap);
}

// Reference: the softmax of -epsilon d / 2 over float64 distances, written out here.

namespace {

embedding::EmbeddingHandle ballMetric() {
    return test::toyEmbedding(test::poincareVectors(60, 3, 0.9, 1));
}

Distances softmax(Distances distances, double epsilon) {
    double total = 0.0;
    for (double& value : distances) {
        value = std::exp(-epsilon * value / 2.0);
        total += value;
    }
    for (double& value : distances) {
        value /= total;
    }
    return distances;
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
        const engine::SearchSpace space(ballMetric());
        const Mechanism mechanism = Exponential{metric, 0.25};
        const auto options = gridOf(mechanism);
        const auto run = calibration::calibrate(space, options).value();
        REQUIRE(run.cells.size() == 2);
        const auto table = tableOf(WordMetric::create(space.handle(), metric, 0.25).value());
        for (std::size_t cell = 0; cell < 2; ++cell) {
            CHECK_FALSE(run.cells[cell].gamma);
            CHECK_FALSE(run.cells[cell].beta);
            for (std::size_t w = 0; w < table.size(); ++w) {
                const Distances law = softmax(table[w], options.grid.epsilons[cell]);
                double distinct = 0.0;
                for (const double p : law) {
                    distinct += -std::expm1(options.draws * std::log1p(-p));
                }
                const double error = *run.cells[cell].relativeError;
                CHECK(run.perWord.nw[2 * w + cell] ==
                      Approx(options.draws * law[w]).epsilon(error));
                CHECK(run.perWord.sw[2 * w + cell] == Approx(distinct).epsilon(error));
            }
        }
    }
}

TEST_CASE("No ratio of the exponential mechanism exceeds its guarantee, and none is capped") {
    const auto embedding = ballMetric();
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
            CHECK(largestExcess(
                      tableOf(prepared.metric()),
                      [&](const Distances& distances) { return softmax(distances, epsilon); },
                      [&](double distance) { return pairLoss(guarantee, distance); }) <= 1e-12);
        }
    }
}

TEST_CASE("Half of the guarantee of the exponential mechanism does not hold") {
    // A lone word before a crowd: from outside of it nearly all of the normalisation changes, too.
    RowMatrixF line = RowMatrixF::Zero(200, 1);
    line(0, 0) = 1.0F;
    const auto prepared =
        PreparedMechanism::create(test::toyEmbedding(line), Exponential{}).value();
    const auto table = tableOf(prepared.metric());
    CHECK(std::log(softmax(table[0], 2.0)[0]) - std::log(softmax(table[1], 2.0)[0]) > 1.9);
    CHECK(pairLoss(prepared.guarantee(2.0).value(), 1.0) == Approx(2.0));
}

TEST_CASE("A radius beyond all words makes TEM the exponential mechanism") {
    const engine::SearchSpace space(ballMetric());
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
