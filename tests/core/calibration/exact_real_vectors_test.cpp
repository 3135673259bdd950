#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/calibration/exact_statistics.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/sanitized.h"

// Real vectors: what rounding does to distances and statistics there, against float64, and the
// promise of Theorem 3 of Carvalho et al. 2021 for every word.

using namespace epsilens;
using namespace epsilens::calibration;
using mechanism::TruncatedExponential;
using mechanism::Truncation;
using metric::Metric;

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

std::vector<engine::Row> everyNth(engine::Row words, engine::Row step) {
    std::vector<engine::Row> rows;
    rows.reserve(static_cast<std::size_t>(words / step) + 1);
    for (engine::Row row = 0; row < words; row += step) {
        rows.push_back(row);
    }
    return rows;
}

// Largest errors of distances, N_w and S_w over some words, at the critical epsilon of each.
void checkErrors(const engine::MetricSpace& space, engine::Row step) {
    ExactStatisticsOfWords statistics(space, 100);
    const Truncation truncation = Truncation::byErrorProbability(0.001, space.wordCount()).value();
    double distanceError = 0.0;
    double statisticError = 0.0;
    double bound = 0.0;
    forRows(space, everyNth(space.wordCount(), step), [&](const engine::MetricRow& row) {
        const std::vector<double> distances = test::distancesFrom(space.metric(), row.word);
        for (std::size_t other = 0; other < distances.size(); ++other) {
            const double error =
                std::abs(static_cast<double>(row.distances[other]) - distances[other]);
            distanceError =
                std::max(distanceError, error / (distances[other] > 0.0 ? distances[other] : 1.0));
        }
        const auto mechanism = truncation.at(statistics.criticalEpsilon(row, truncation)).value();
        const ExactStatistics exact = statistics.compute(row, mechanism);
        const std::vector<double> law = mechanism.probabilities(distances);
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
        WARN("SKIPPED: no shared data");
        return;
    }
    // The sanitizers look at what the code does, which is the same for every word.
    constexpr engine::Row kSparser = test::kSanitized ? 8 : 1;
    checkErrors(test::metricSpaceOf(glove, Metric::euclidean), 40 * kSparser);
    checkErrors(test::metricSpaceOf(glove, Metric::angular), 40 * kSparser);
    checkErrors(test::metricSpaceOf(glove, Metric::mahalanobis, 0.75), 1000);
    checkErrors(test::metricSpaceOf(poincare, Metric::poincare), 10 * kSparser);
}
