#include "core/release/word_replacer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>

#include "core/engine/point_search.h"
#include "core/release/fresh_noise.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using mechanism::Hyperbolic;
using mechanism::Laplace;
using mechanism::Mahalanobis;
using mechanism::Mechanism;
using mechanism::Setting;
using mechanism::Tem;
using release::Row;

namespace {

// The numbers cannot be repeated: a true program fails each check with this probability.
constexpr double kFalseAlarms = 1e-9;
constexpr int kDraws = 40'000;

std::unique_ptr<release::WordReplacer> replacerOf(const RowMatrixF& vectors,
                                                  const Setting& setting) {
    return release::createReplacer(
               std::make_shared<const engine::SearchSpace>(test::toyEmbedding(vectors)), setting)
        .value();
}

std::vector<Row> drawn(release::WordReplacer& replacer, Row word, int draws) {
    const std::vector<Row> words(static_cast<std::size_t>(draws), word);
    std::vector<Row> outputs(words.size());
    replacer.replace(words, outputs, 2, {});
    return outputs;
}

void checkLaw(release::WordReplacer& replacer, Row word, const VectorD& probabilities) {
    std::vector<int> counts(static_cast<std::size_t>(probabilities.size()));
    for (const Row output : drawn(replacer, word, kDraws)) {
        ++counts.at(static_cast<std::size_t>(output));
    }
    CAPTURE(word);
    CHECK(test::misfit(counts, probabilities, kFalseAlarms) < 1.0);
}

RowMatrixF onALine(const std::vector<double>& places) {
    RowMatrixF vectors(static_cast<Eigen::Index>(places.size()), 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
        vectors(static_cast<Eigen::Index>(i), 0) = static_cast<float>(places[i]);
    }
    return vectors;
}

}  // namespace

// Closed form on a line: each output is the interval between midpoints, the noise the two-sided
// exponential law (tests/support/audit, which uses no code of the core).
TEST_CASE("Released words on a line have the closed-form law of Laplace noise") {
    const std::vector<double> places{-2.0, 0.0, 0.25, 1.5, 4.0};
    const double epsilon = GENERATE(0.5, 2.0);
    const RowMatrixD law = test::lineProbabilities(
        places, [&](double low, double high) { return test::laplaceMass(low, high, epsilon); });
    const auto replacer = replacerOf(onALine(places), {Laplace{}, epsilon});
    CHECK(replacer->guarantee().bound == epsilon);
    for (const Row word : {0, 1, 4}) {
        checkLaw(*replacer, word, law.row(word).transpose());
    }
}

// In one dimension the covariance has trace 1 = m, so that A is 1 for every lambda.
TEST_CASE("Released words on a line have the same law under Mahalanobis noise") {
    const std::vector<double> places{-1.0, 0.0, 2.0};
    const RowMatrixD law = test::lineProbabilities(
        places, [](double low, double high) { return test::laplaceMass(low, high, 1.0); });
    const auto replacer = replacerOf(onALine(places), {Mahalanobis{0.7}, 1.0});
    checkLaw(*replacer, 1, law.row(1).transpose());
}

// In one dimension hyperbolic space is a line with the coordinate 2 artanh x, and the riemannian
// law of the radius, sinh^0(r) e^{-epsilon r}, makes the noise on it two-sided exponential.
TEST_CASE("Released words of a one-dimensional ball have the closed-form hyperbolic law") {
    const std::vector<double> coordinates{-3.0, -0.5, 0.0, 1.0, 5.0};
    std::vector<double> places;
    std::vector<double> stored;
    for (const double coordinate : coordinates) {
        places.push_back(std::tanh(0.5 * coordinate));
        stored.push_back(2.0 * std::atanh(static_cast<double>(static_cast<float>(places.back()))));
    }
    const RowMatrixD law = test::lineProbabilities(
        stored, [](double low, double high) { return test::laplaceMass(low, high, 0.8); });
    const auto replacer = replacerOf(onALine(places), {Hyperbolic{}, 0.8});
    for (const Row word : {1, 4}) {
        checkLaw(*replacer, word, law.row(word).transpose());
    }
}

// p(u|w) from float64 distances by the formula of Carvalho et al. 2021, Algorithms 2 and 3.
TEST_CASE("Words released by TEM and the exponential mechanism have their exact law") {
    const auto metric = GENERATE(metric::Metric::euclidean, metric::Metric::mahalanobis,
                                 metric::Metric::angular, metric::Metric::poincare);
    // 37 words: two whole tiles and a part of one. Two of them have equal vectors.
    RowMatrixF vectors = test::poincareVectors(37, 3, 0.9, 4);
    vectors.row(7) = vectors.row(5);
    const auto wordMetric =
        metric::WordMetric::create(test::toyEmbedding(vectors), metric, 0.5).value();
    const auto check = [&](const Mechanism& kind, double epsilon, double gamma) {
        CAPTURE(kind.name(), epsilon, gamma);
        const auto replacer = replacerOf(vectors, {kind, epsilon});
        for (const Row word : {5, 36}) {
            VectorD law(37);
            for (Row other = 0; other < 37; ++other) {
                law[other] =
                    std::exp(-0.5 * epsilon * std::min(gamma, wordMetric.distance(word, other)));
            }
            checkLaw(*replacer, word, law / law.sum());
        }
    };
    for (const auto& [epsilon, gamma] :
         {std::array{3.0, 100.0}, std::array{6.0, 0.5}, std::array{2.0, 0.0}}) {
        check(Tem{metric, 0.5, gamma}, epsilon, gamma);
    }
    if (metric == metric::Metric::euclidean) {
        check(mechanism::Exponential{}, 6.0, std::numeric_limits<double>::infinity());
    }
}

TEST_CASE("TEM keeps its law when there is room for few tables") {
    const RowMatrixF vectors = test::anisotropicVectors(40, 4, 9);
    auto metric =
        metric::WordMetric::create(test::toyEmbedding(vectors), metric::Metric::euclidean).value();
    auto space = engine::MetricSpace::create(metric).value();
    const auto law = mechanism::TruncatedExponential::create(4.0, 2.0).value();
    const std::size_t bytes = 3 * release::SelectionReplacer::bytesPerTable(space) + 1;
    release::SelectionReplacer replacer(std::move(space), law, bytes);
    REQUIRE(replacer.mostTables() == 3);
    std::vector<Row> words(40'000);
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = i % 2 == 0 ? 11 : static_cast<Row>(i / 2 % 40);
    }
    std::vector<Row> outputs(words.size(), -1);
    replacer.replace(words, outputs, 2, {});
    CHECK(replacer.cachedTables() <= 3);
    std::vector<int> counts(40);
    for (std::size_t i = 0; i < words.size(); i += 2) {
        ++counts.at(static_cast<std::size_t>(outputs[i]));
    }
    const std::vector<double> exact = test::lawOf(law, test::distancesFrom(metric, 11));
    CHECK(test::misfit(counts, test::vectorOf(exact), kFalseAlarms) < 1.0);
}

// If tokens shared noise, within a block or between blocks, equal words would tend to have equal
// outputs: pairs of outputs some places apart must have the product of their laws.
TEST_CASE("Occurrences of one word are replaced independently") {
    const auto kind =
        GENERATE(values<Mechanism>({Laplace{}, Mahalanobis{}, Tem{.gamma = 1.5}, Hyperbolic{}}));
    CAPTURE(kind.name());
    const RowMatrixF vectors = test::poincareVectors(6, 2, 0.8, 2);
    const auto replacer = replacerOf(vectors, {kind, 2.0});
    const std::vector<Row> outputs = drawn(*replacer, 3, kDraws);
    VectorD single = VectorD::Zero(6);
    for (const Row output : outputs) {
        single[output] += 1.0 / static_cast<double>(outputs.size());
    }
    for (const std::size_t apart :
         {std::size_t{1}, std::size_t{2}, std::size_t{512},
          static_cast<std::size_t>(engine::kPointBlock), std::size_t{20'000}}) {
        CAPTURE(apart);
        std::vector<int> pairs(36);
        for (std::size_t i = 0; i + apart < outputs.size(); ++i) {
            ++pairs.at(6 * static_cast<std::size_t>(outputs[i]) +
                       static_cast<std::size_t>(outputs[i + apart]));
        }
        VectorD product(36);
        for (Eigen::Index a = 0; a < 6; ++a) {
            for (Eigen::Index b = 0; b < 6; ++b) {
                product[6 * a + b] = single[a] * single[b];
            }
        }
        // With estimated margins the statistic has 25 degrees of freedom; overlapping pairs of
        // independent outputs are uncorrelated cell by cell.
        CHECK(test::chiSquare(pairs, product).statistic <
              test::chiSquareCritical(35, kFalseAlarms));
    }
}

TEST_CASE("Two releases of one text differ") {
    // 200 words of which each stays with probability below 0.9: all equal with probability 1e-9.
    const auto replacer = replacerOf(test::anisotropicVectors(50, 3, 1), {Laplace{}, 1.0});
    CHECK(drawn(*replacer, 4, 200) != drawn(*replacer, 4, 200));
}

TEST_CASE("A stopped replacement draws nothing more") {
    const auto kind = GENERATE(values<Mechanism>({Laplace{}, Tem{}, Hyperbolic{}}));
    const auto replacer = replacerOf(test::poincareVectors(30, 2, 0.8, 2), {kind, 2.0});
    const std::vector<Row> none(1000, -1);
    std::vector<Row> outputs = none;
    replacer->replace(std::vector<Row>(1000, 3), outputs, 2, test::stoppedJob());
    CHECK(outputs == none);
}

TEST_CASE("A mechanism outside its ranges is refused") {
    const auto space = std::make_shared<const engine::SearchSpace>(
        test::toyEmbedding(test::anisotropicVectors(10, 3, 1)));
    const auto codeOf = [&](const Setting& setting) {
        const auto replacer = release::createReplacer(space, setting);
        return replacer ? std::optional<ErrorCode>() : replacer.error().code;
    };
    CHECK(codeOf({Laplace{}, 0.0}) == ErrorCode::invalidArgument);
    CHECK(codeOf({Laplace{}, std::nan("")}) == ErrorCode::invalidArgument);
    CHECK(codeOf({Tem{}, -1.0}) == ErrorCode::invalidArgument);
    // Some rows of the toy vectors lie outside the unit ball.
    CHECK(codeOf({Hyperbolic{}, 20.0}) == ErrorCode::unsupported);
    CHECK(codeOf({Laplace{}, 1.0}) == std::nullopt);
}

namespace {

mechanism::EllipticalNoise noiseOf(const embedding::EmbeddingHandle& embedding, double lambda) {
    return mechanism::EllipticalNoise::create(
               std::shared_ptr<const embedding::PcaBasis>(embedding, &embedding->basis), lambda)
        .value();
}

}  // namespace

TEST_CASE("Fresh gamma numbers have their law for few and many dimensions") {
    const Eigen::Index shape = GENERATE(1, 2, 17, 300);
    OperatingSystemStream stream;
    std::vector<double> sample(20'000);
    for (double& value : sample) {
        value = release::freshGamma(shape, stream);
    }
    const auto law = [&](double x) { return boost::math::gamma_p(static_cast<double>(shape), x); };
    CHECK(test::ksDistance(sample, law) < test::ksCritical(sample.size(), kFalseAlarms));
}

// A coordinate of a uniform direction in R^3 is uniform on [-1, 1] (Archimedes).
TEST_CASE("Fresh directions are uniform on the sphere") {
    OperatingSystemStream stream;
    const RowMatrixD directions = release::freshDirections(60'000, 3, stream);
    CHECK((directions.rowwise().norm().array() - 1.0).abs().maxCoeff() < 1e-15 * 4);
    const VectorD slanted = directions * VectorD::Constant(3, std::sqrt(1.0 / 3.0));
    std::vector<double> sample(slanted.data(), slanted.data() + slanted.size());
    CHECK(test::ksDistance(sample, [](double x) { return 0.5 * (x + 1.0); }) <
          test::ksCritical(sample.size(), kFalseAlarms));
}

// Z^T A^-1 Z is the square of the radius whatever lambda: Y ~ Gamma(m, 1).
TEST_CASE("Fresh Mahalanobis noise has the shape of its matrix") {
    OperatingSystemStream stream;
    const double lambda = GENERATE(0.3, 1.0);
    const auto noise = noiseOf(test::toyEmbedding(test::anisotropicVectors(60, 5, 3)), lambda);
    const RowMatrixD draws = release::freshNoise(noise, 30'000, stream);
    std::vector<double> radii;
    std::vector<double> alongFirst;
    const VectorD origin = VectorD::Zero(5);
    for (Eigen::Index i = 0; i < draws.rows(); ++i) {
        radii.push_back(noise.distance(origin, draws.row(i).transpose()));
        // Sign of the first principal coordinate.
        alongFirst.push_back(draws.row(i).dot(noise.basis().axes.col(0)) > 0.0 ? 1.0 : 0.0);
    }
    CHECK(test::ksDistance(radii, [](double x) { return boost::math::gamma_p(5.0, x); }) <
          test::ksCritical(radii.size(), kFalseAlarms));
    // Power along each axis: E (Z.q_k)^2 = (m + 1) s_k^2; its relative spread over n draws is below
    // sqrt(E Y^4 E X_k^4 / (E Y^2 E X_k^2)^2 / n) = sqrt(4.8 / n) for m = 5.
    const RowMatrixD inAxes = draws * noise.basis().axes;
    for (Eigen::Index k = 0; k < 5; ++k) {
        const double power = inAxes.col(k).squaredNorm() / static_cast<double>(draws.rows());
        const double expected = 6.0 * noise.axisScales()[k] * noise.axisScales()[k];
        CHECK(std::abs(power / expected - 1.0) <
              test::normalCritical(kFalseAlarms) * std::sqrt(4.8 / 30'000.0));
    }
}

TEST_CASE("No two rows of any two calls share a number") {
    // 20 x 500 x 4 numbers of 52 random bits: two agree by chance with probability below 4e-7.
    std::vector<double> numbers;
    OperatingSystemStream kept;
    for (int call = 0; call < 20; ++call) {
        OperatingSystemStream fresh;
        const RowMatrixD rows = release::freshDirections(500, 4, call % 2 == 0 ? kept : fresh);
        numbers.insert(numbers.end(), rows.data(), rows.data() + rows.size());
    }
    for (double& number : numbers) {
        number = std::abs(number);
    }
    std::ranges::sort(numbers);
    CHECK(std::ranges::adjacent_find(numbers) == numbers.end());
}
