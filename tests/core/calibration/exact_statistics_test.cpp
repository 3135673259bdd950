#include "core/calibration/exact_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/sanitized.h"
#include "tests/support/shared_data.h"
#include "tests/support/toy_embedding.h"

// Reference: the defining sums in long double over float64 distances of metric::WordMetric.

using namespace epsilens;
using namespace epsilens::calibration;
using mechanism::TruncatedExponential;
using mechanism::Truncation;
using metric::Metric;

namespace {

constexpr int kNear = 5;

engine::MetricSpace statisticsSpace(const RowMatrixF& vectors, Metric metric) {
    return test::metricSpaceOf(test::toyEmbedding(vectors), metric, 0.6);
}

struct Expected {
    long double kept = 0.0L, sw = 0.0L, near = 0.0L, shannon = 0.0L, largest = 0.0L;
    long double distance = 0.0L, cosine = 0.0L, cosineShare = 0.0L;
};

/// A word whose statistics are held against the sums.
class CheckedWord {
public:
    CheckedWord(const engine::MetricSpace& space, engine::Row word, bool withCosines = true)
        : m_space(space),
          m_rows(withCosines),
          m_distances(test::distancesFrom(space.metric(), word)) {
        m_rows.load(space, std::vector<engine::Row>{word});
        m_row = m_rows.finish(0, kNear);
        const RowMatrixD vectors = space.embedding().vectors().cast<double>();
        const VectorD norms = vectors.row(word).norm() * vectors.rowwise().norm();
        m_cosines = (norms.array() > 0.0)
                        .select((vectors * vectors.row(word).transpose()).cwiseQuotient(norms),
                                std::numeric_limits<double>::quiet_NaN());
    }

    [[nodiscard]] const engine::MetricRow& row() const { return m_row; }

    [[nodiscard]] Expected sums(const TruncatedExponential& mechanism, int draws) const {
        std::vector<long double> law;
        long double total = 0.0L;
        for (const double distance : m_distances) {
            law.push_back(std::exp(-static_cast<long double>(mechanism.exponent(distance))));
            total += law.back();
        }
        Expected expected;
        for (std::size_t u = 0; u < law.size(); ++u) {
            const long double p = law[u] / total;
            const auto other = static_cast<engine::Row>(u);
            expected.kept += other == m_row.word ? p : 0.0L;
            expected.sw += p >= 1.0L ? 1.0L : -std::expm1(draws * std::log1p(-p));
            expected.near += m_row.neighbours.contains(other) ? p : 0.0L;
            expected.shannon -= p > 0.0L ? p * std::log2(p) : 0.0L;
            expected.largest = std::max(expected.largest, p);
            expected.distance += p * static_cast<long double>(m_distances[u]);
            if (!std::isnan(m_cosines[other])) {
                expected.cosine += p * static_cast<long double>(m_cosines[other]);
                expected.cosineShare += p;
            }
        }
        return expected;
    }

    void check(double epsilon, double gamma, int draws, double accuracy = 3e-5) const {
        const TruncatedExponential mechanism = TruncatedExponential::create(epsilon, gamma).value();
        const ExactStatistics exact =
            ExactStatisticsOfWords(m_space, draws).compute(m_row, mechanism);
        const Expected expected = sums(mechanism, draws);
        CAPTURE(metric::metricName(m_space.metric().metric()), m_row.word, epsilon, gamma, draws,
                exact.relativeError);
        const double kept = static_cast<double>(expected.kept);
        const double sw = static_cast<double>(expected.sw);
        CHECK(std::abs(exact.kept - kept) <= exact.relativeError * kept);
        CHECK(std::abs(exact.sw - sw) <= exact.relativeError * sw);
        // What the bound allows is not used: a fixed accuracy as well.
        CHECK(exact.kept == Approx(kept).epsilon(accuracy));
        CHECK(exact.nw == draws * exact.kept);
        CHECK(exact.sw == Approx(sw).epsilon(accuracy));
        CHECK(exact.near ==
              Approx(static_cast<double>(expected.near)).epsilon(accuracy).margin(1e-30));
        CHECK(exact.minEntropy == Approx(static_cast<double>(-std::log2(expected.largest)))
                                      .epsilon(accuracy)
                                      .margin(accuracy));
        CHECK(exact.shannonEntropy ==
              Approx(static_cast<double>(expected.shannon)).epsilon(accuracy).margin(accuracy));
        CHECK(exact.meanDistance ==
              Approx(static_cast<double>(expected.distance)).epsilon(accuracy).margin(1e-30));
        CHECK(exact.cosineSum == Approx(static_cast<double>(expected.cosine)).margin(accuracy));
        CHECK(exact.cosineShare ==
              Approx(static_cast<double>(expected.cosineShare)).epsilon(accuracy));
    }

private:
    const engine::MetricSpace& m_space;
    engine::MetricRows m_rows;
    engine::MetricRow m_row{};
    std::vector<double> m_distances;
    VectorD m_cosines{};  ///< NaN without a direction
};

double criticalOf(const engine::MetricSpace& space, engine::Row word,
                  const Truncation& truncation) {
    engine::MetricRows rows(false);
    rows.load(space, std::vector<engine::Row>{word});
    const engine::MetricRow row = rows.finish(0, kNear);
    return ExactStatisticsOfWords(space, 100).criticalEpsilon(row, truncation);
}

double keptAt(const engine::MetricSpace& space, engine::Row word, const Truncation& truncation,
              double epsilon) {
    return test::lawOf(*truncation.at(epsilon),
                       test::distancesFrom(space.metric(), word))[static_cast<std::size_t>(word)];
}

RowMatrixF fewVectors() {
    RowMatrixF vectors = test::anisotropicVectors(333, 12, 61) * 0.15F;
    vectors.row(20) = vectors.row(21);
    return vectors;
}

}  // namespace

TEST_CASE("Exact statistics are the defining sums, in every metric and from both sides of gamma") {
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const engine::MetricSpace space = statisticsSpace(fewVectors(), metric);
    const double scale = metric == Metric::mahalanobis ? 0.3
                         : metric == Metric::angular   ? 0.7
                                                       : 3.0;
    for (const engine::Row row : {0, 20, 332}) {
        const CheckedWord word(space, row);
        for (const double epsilon : {1e-3, 4.0, 25.0, 90.0}) {
            for (const double gamma : {0.0, 0.2, 0.6, 50.0}) {
                word.check(scale * epsilon, gamma / scale, 100);
            }
        }
    }
    CheckedWord(space, 0).check(9.0, 1.0, 1);
    CheckedWord(space, 0).check(9.0, 1.0, 1'000'000);
}

TEST_CASE("Exact statistics are right for two words and for all sizes of epsilon") {
    for (const Eigen::Index words : {2, 3, 200}) {
        const engine::MetricSpace space =
            statisticsSpace(test::anisotropicVectors(words, 4, 62), Metric::euclidean);
        for (const double epsilon : {1e-300, 1e-38, 1e-6, 1.0, 1e6, 1e39, 1e300}) {
            for (const double gamma : {0.0, 1e-300, 1.0, 1e300}) {
                CheckedWord(space, 1).check(epsilon, gamma, 100);
            }
        }
    }
}

// Far words are summed by the powers of their weights where few draws reach them.
TEST_CASE("Exact statistics of a larger vocabulary are the defining sums") {
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const engine::MetricSpace space =
        statisticsSpace(metric == Metric::poincare ? test::poincareVectors(1777, 12, 0.7, 66)
                                                   : test::anisotropicVectors(1777, 12, 66),
                        metric);
    const double typical = test::distancesFrom(space.metric(), 0)[592];
    for (const engine::Row row : {0, 888, 1776}) {
        const CheckedWord word(space, row);
        for (const double epsilon : {0.5, 8.0, 16.0, 24.0, 60.0}) {
            for (const double gamma : {0.3, 0.8, 0.9701, 1.3001, 9.0}) {
                word.check(epsilon / typical, gamma * typical, 20, 5e-6);
            }
        }
    }
    CheckedWord(space, 5).check(8.0 / typical, 9.0 * typical, 100'000, 5e-6);
}

TEST_CASE("Words without a direction are left out of the cosine") {
    RowMatrixF vectors = test::anisotropicVectors(50, 3, 63);
    vectors.row(3).setZero();
    vectors.row(4).setZero();
    const engine::MetricSpace space = statisticsSpace(vectors, Metric::euclidean);
    CheckedWord(space, 0).check(2.0, 1.5, 100);
    CheckedWord(space, 3).check(2.0, 1.5, 100);
}

// As the window keeps rows; in a vocabulary of this size far words are summed by powers.
TEST_CASE("A row without cosines has the same shares") {
    const engine::MetricSpace space =
        statisticsSpace(test::anisotropicVectors(4000, 8, 65), Metric::euclidean);
    const CheckedWord word(space, 7, false);
    REQUIRE(word.row().cosines == nullptr);
    const auto mechanism = TruncatedExponential::create(3.0, 4.0).value();
    const ExactStatistics exact = ExactStatisticsOfWords(space, 100).compute(word.row(), mechanism);
    const Expected expected = word.sums(mechanism, 100);
    CHECK(exact.kept == Approx(static_cast<double>(expected.kept)).epsilon(3e-5));
    CHECK(exact.sw == Approx(static_cast<double>(expected.sw)).epsilon(3e-5));
}

TEST_CASE("At the critical epsilon the word is kept with probability 1/2") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    const engine::MetricSpace space = statisticsSpace(fewVectors(), metric);
    for (const Truncation& truncation :
         {Truncation::byRadius(0.01).value(), Truncation::byRadius(0.4).value(),
          Truncation::byRadius(1e6).value(), Truncation::byErrorProbability(1e-6, 333).value(),
          Truncation::byErrorProbability(0.001, 333).value(),
          Truncation::byErrorProbability(0.4, 333).value(),
          Truncation::byErrorProbability(0.4999, 333).value()}) {
        for (const engine::Row word : {0, 5, 100, 332}) {
            const double critical = criticalOf(space, word, truncation);
            CAPTURE(metric::metricName(metric), word, critical, truncation.beta().value_or(-1.0));
            REQUIRE(std::isfinite(critical));
            CHECK(keptAt(space, word, truncation, critical) == Approx(0.5).margin(5e-6));
            if (truncation.beta() != 0.4999) {
                CHECK(keptAt(space, word, truncation, critical * (1.0 - 2e-5)) < 0.5);
                CHECK(keptAt(space, word, truncation, critical * (1.0 + 2e-5)) >= 0.5);
            }
        }
    }
}

TEST_CASE("Critical epsilons at the ends: never and always") {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const engine::MetricSpace space = statisticsSpace(fewVectors(), Metric::euclidean);
    const Truncation byBeta = Truncation::byErrorProbability(0.001, 333).value();
    CHECK(criticalOf(space, 20, byBeta) == kNever);  // it has a twin
    CHECK(criticalOf(space, 0, Truncation::byRadius(0.0).value()) == kNever);
    CHECK(criticalOf(space, 0, Truncation::byErrorProbability(0.5, 333).value()) == kNever);
    CHECK(criticalOf(space, 0, Truncation::byErrorProbability(0.99, 333).value()) == kNever);
    const engine::MetricSpace two =
        statisticsSpace(test::anisotropicVectors(2, 3, 65), Metric::euclidean);
    CHECK(criticalOf(two, 0, Truncation::byRadius(1.0).value()) == 0.0);
}

// Real vectors: what rounding does to distances and statistics there, against float64, and the
// promise of Theorem 3 of Carvalho et al. 2021 for every word.

namespace {

// Rows of some words, one after the other.
template <typename Use>
void forRows(const engine::MetricSpace& space, const std::vector<engine::Row>& words, Use use) {
    engine::MetricRows rows(true);
    const auto atOnce = static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(space));
    for (std::size_t first = 0; first < words.size(); first += atOnce) {
        const std::size_t count = std::min(atOnce, words.size() - first);
        rows.load(space, std::span(words).subspan(first, count));
        for (std::size_t i = 0; i < count; ++i) {
            use(rows.finish(static_cast<std::int64_t>(i), 100));
        }
    }
}

// Largest errors of distances, N_w and S_w over some words, at the critical epsilon of each.
void checkErrors(const engine::MetricSpace& space, engine::Row step) {
    ExactStatisticsOfWords statistics(space, 100);
    const Truncation truncation = Truncation::byErrorProbability(0.001, space.wordCount()).value();
    double distanceError = 0.0;
    double statisticError = 0.0;
    double bound = 0.0;
    forRows(space, test::rowsBelow(space.wordCount(), step), [&](const engine::MetricRow& row) {
        const std::vector<double> distances = test::distancesFrom(space.metric(), row.word);
        for (std::size_t other = 0; other < distances.size(); ++other) {
            const double error =
                std::abs(static_cast<double>(row.distances[other]) - distances[other]);
            distanceError =
                std::max(distanceError, error / (distances[other] > 0.0 ? distances[other] : 1.0));
        }
        const auto mechanism = truncation.at(statistics.criticalEpsilon(row, truncation)).value();
        const ExactStatistics exact = statistics.compute(row, mechanism);
        const std::vector<double> law = test::lawOf(mechanism, distances);
        double sw = 0.0;
        for (const double p : law) {
            sw -= std::expm1(100.0 * std::log1p(-p));
        }
        const double kept = law[static_cast<std::size_t>(row.word)];
        statisticError = std::max(
            {statisticError, std::abs(exact.kept / kept - 1.0), std::abs(exact.sw / sw - 1.0)});
        bound = std::max(bound, exact.relativeError);
    });
    CAPTURE(metric::metricName(space.metric().metric()), bound);
    CHECK(distanceError <= 1e-6);
    CHECK(statisticError <= 5e-6);
    CHECK(bound <= 5e-3);
    CHECK(bound >= statisticError);
}

}  // namespace

TEST_CASE("Real vectors: distances and statistics are far closer to float64 than their bounds") {
    const auto glove = test::openedShared(test::kGloveSubset);
    const auto poincare = test::openedShared("data/poincare/poincare_vectors.bin");
    if (!glove || !poincare) {
        return test::skipForWantOfData();
    }
    // The sanitizers look at what the code does, which is the same for every word.
    constexpr engine::Row kSparser = test::kSanitized ? 8 : 1;
    checkErrors(test::metricSpaceOf(glove, Metric::euclidean), 40 * kSparser);
    checkErrors(test::metricSpaceOf(glove, Metric::angular), 40 * kSparser);
    checkErrors(test::metricSpaceOf(glove, Metric::mahalanobis, 0.75), 1000);
    checkErrors(test::metricSpaceOf(poincare, Metric::poincare), 10 * kSparser);
}
