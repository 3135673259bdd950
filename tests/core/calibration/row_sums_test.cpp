#include "core/calibration/row_sums.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

// Reference: the defining sums in long double over float64 distances of metric::WordMetric.

using namespace epsilens;
using namespace epsilens::calibration;
using mechanism::TruncatedExponential;
using metric::Metric;

namespace {

constexpr Eigen::Index kWords = 1777;
constexpr int kDraws = 20;

RowMatrixF vectorsFor(Metric metric) {
    return metric == Metric::poincare ? test::poincareVectors(kWords, 12, 0.7, 66)
                                      : test::anisotropicVectors(kWords, 12, 66);
}

struct Case {
    engine::MetricSpace space;
    engine::MetricRows rows{true};
    engine::MetricRow row{};
    std::vector<double> distances{};

    Case(Metric metric, engine::Row word)
        : space(engine::MetricSpace::create(
                    metric::WordMetric::create(test::toyEmbedding(vectorsFor(metric)), metric, 0.6)
                        .value())
                    .value()) {
        rows.load(space, std::vector<engine::Row>{word});
        row = rows.finish(0, 20);
        distances = test::distancesFrom(space.metric(), word);
    }
};

RowSums reference(const Case& with, const TruncatedExponential& mechanism, int draws) {
    std::vector<long double> weights;
    long double total = 0.0L, exponents = 0.0L, distances = 0.0L, cosines = 0.0L, capped = 0.0L;
    for (std::size_t u = 0; u < with.distances.size(); ++u) {
        const auto x = static_cast<long double>(mechanism.exponent(with.distances[u]));
        const long double weight = std::exp(-x);
        weights.push_back(weight);
        total += weight;
        exponents += x * weight;
        distances += static_cast<long double>(with.distances[u]) * weight;
        cosines += static_cast<long double>(with.row.cosines[u]) * weight;
        capped += with.distances[u] >= mechanism.gamma() ? weight : 0.0L;
    }
    long double distinct = 0.0L;
    for (const long double weight : weights) {
        const long double p = weight / total;
        distinct += p >= 1.0L ? 1.0L : -std::expm1(draws * std::log1p(-p));
    }
    const auto rounded = [](long double value) { return static_cast<double>(value); };
    return {rounded(total),   rounded(exponents), rounded(distances),
            rounded(cosines), rounded(capped),    rounded(distinct)};
}

void checkAgainst(const RowSums& expected, const RowSums& sums) {
    constexpr double kError = 5e-6;
    CHECK(sums.weights == Approx(expected.weights).epsilon(kError));
    CHECK(sums.exponents == Approx(expected.exponents).epsilon(kError).margin(1e-30));
    CHECK(sums.distances == Approx(expected.distances).epsilon(kError));
    CHECK(sums.cosines == Approx(expected.cosines).margin(kError * expected.weights));
    CHECK(sums.capped == Approx(expected.capped).epsilon(kError).margin(1e-30));
    CHECK(sums.distinct == Approx(expected.distinct).epsilon(kError));
}

}  // namespace

TEST_CASE("A split row has the defining sums wherever it has any, on both sides of the radius") {
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const engine::Row word = GENERATE(0, 888, 1776);
    Case with(metric, word);
    SplitRow split(kWords, with.space.paddedWords(), kDraws);
    split.set(with.row);
    engine::AlignedMatrix scratch(1, with.space.paddedWords());
    const double typical = with.distances[kWords / 3];
    int answered = 0;
    for (const double scaledEpsilon : {0.5, 8.0, 16.0, 24.0, 60.0}) {
        for (const double scaledGamma : {0.3, 0.8, 0.9701, 1.3001, 9.0}) {
            const auto mechanism =
                TruncatedExponential::create(scaledEpsilon / typical, scaledGamma * typical)
                    .value();
            CAPTURE(metric::metricName(metric), word, scaledEpsilon, scaledGamma);
            const RowSums expected = reference(with, mechanism, kDraws);
            checkAgainst(expected, wholeRowSums(with.row, kWords, mechanism, kDraws, scratch));
            if (const auto sums = split.sums(mechanism)) {
                checkAgainst(expected, *sums);
                ++answered;
            }
        }
    }
    CHECK(answered >= 5);
}

TEST_CASE("Powers are left alone where a far word is probable") {
    Case with(Metric::euclidean, 5);
    const auto mechanism = TruncatedExponential::create(8.0, 100.0).value();
    const auto answers = [&](int draws) {
        SplitRow split(kWords, with.space.paddedWords(), draws);
        split.set(with.row);
        return split.sums(mechanism).has_value();
    };
    CHECK(answers(1));
    CHECK_FALSE(answers(100'000));
}

TEST_CASE("A row with few far words is not split") {
    const engine::MetricSpace space =
        engine::MetricSpace::create(
            metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(300, 4, 67)),
                                       Metric::euclidean, 0.0)
                .value())
            .value();
    engine::MetricRows rows(true);
    rows.load(space, std::vector<engine::Row>{3});
    const engine::MetricRow row = rows.finish(0, 5);
    SplitRow split(300, space.paddedWords(), kDraws);
    split.set(row);
    CHECK_FALSE(split.sums(TruncatedExponential::create(8.0, 100.0).value()).has_value());
}
