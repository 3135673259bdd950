#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/calibration/calibrate.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/noise_series.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/audit.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// In one dimension the output distribution is known: the noise is a two-sided exponential, and a
// word is returned when the noisy point falls between the midpoints to its neighbours. This is the
// oracle for the whole chain from vectors to counts.

using namespace epsilens;

namespace {

const std::vector<double> kPlaces{-3.0, -1.0, -0.5, 0.25, 0.5, 2.0, 4.5, 5.0};

// Row: input, column: output.
RowMatrixD probabilitiesAt(double epsilon) {
    return test::lineProbabilities(
        kPlaces, [&](double low, double high) { return test::laplaceMass(low, high, epsilon); });
}

}  // namespace

TEST_CASE("Calibration on a line returns the closed-form N_w") {
    constexpr int kDraws = 20000;
    // With one dimension Sigma scaled to trace 1 is the identity: lambda must not matter.
    const double lambda = GENERATE(0.0, 0.5);
    const auto space = test::lineSpace(kPlaces);
    const calibration::CalibrationOptions options{
        {.words = {calibration::WordSelection::Kind::all}, .draws = kDraws},
        {mechanism::Mahalanobis{}, {0.3, 1.0, 3.0}, {lambda}}};
    const auto summary = calibration::calibrate(space, options).value();
    REQUIRE(summary.perWord.words.size() == kPlaces.size());
    // 24 checks of a binomial count each; false-alarm rate 1e-6 together.
    const double critical = test::normalCritical(1e-6 / 24.0);
    for (std::size_t w = 0; w < kPlaces.size(); ++w) {
        for (std::size_t e = 0; e < options.grid.epsilons.size(); ++e) {
            const auto word = static_cast<Eigen::Index>(w);
            const double p = probabilitiesAt(options.grid.epsilons[e])(word, word);
            const double count = summary.perWord.nw[w * summary.perWord.cells + e];
            CAPTURE(w, options.grid.epsilons[e], p, count);
            CHECK(std::fabs(count - kDraws * p) <= critical * std::sqrt(kDraws * p * (1.0 - p)));
        }
    }
}

TEST_CASE("Calibration on a line returns the closed-form S_w") {
    // I_u says that u is among R outputs: E[S_w] = sum_u q_u with q_u = 1 - (1 - p_u)^R, and
    // Cov(I_u, I_v) = (1 - p_u - p_v)^R - (1 - p_u)^R (1 - p_v)^R for u != v. Few draws, so that
    // not every word occurs, and many seeds, whose runs are independent.
    constexpr int kDraws = 20;
    constexpr int kRuns = 4000;
    const auto space = test::lineSpace(kPlaces);
    calibration::CalibrationOptions options{
        {.words = {calibration::WordSelection::Kind::all}, .draws = kDraws, .threads = 1},
        {mechanism::Laplace{}, {0.3, 1.0, 3.0}}};
    VectorD sums = VectorD::Zero(static_cast<Eigen::Index>(3 * kPlaces.size()));
    for (int run = 0; run < kRuns; ++run) {
        ++options.seed;
        const auto summary = calibration::calibrate(space, options).value();
        REQUIRE(summary.perWord.sw.size() == static_cast<std::size_t>(sums.size()));
        sums += Eigen::Map<const VectorD>(summary.perWord.sw.data(), sums.size());
    }
    // 24 means of 4,000 counts between 1 and 8 each; false-alarm rate 1e-6 together.
    const double critical = test::normalCritical(1e-6 / 24.0);
    const auto words = static_cast<Eigen::Index>(kPlaces.size());
    for (Eigen::Index e = 0; e < 3; ++e) {
        const RowMatrixD table =
            probabilitiesAt(options.grid.epsilons[static_cast<std::size_t>(e)]);
        for (Eigen::Index w = 0; w < words; ++w) {
            double expected = 0.0;
            double variance = 0.0;
            for (Eigen::Index u = 0; u < words; ++u) {
                const double never = std::pow(1.0 - table(w, u), kDraws);
                expected += 1.0 - never;
                variance += never * (1.0 - never);
                for (Eigen::Index v = 0; v < u; ++v) {
                    variance += 2.0 * (std::pow(1.0 - table(w, u) - table(w, v), kDraws) -
                                       never * std::pow(1.0 - table(w, v), kDraws));
                }
            }
            const double mean = sums[w * 3 + e] / kRuns;
            CAPTURE(w, e, expected, mean, variance);
            CHECK(std::fabs(mean - expected) <= critical * std::sqrt(variance / kRuns));
        }
    }
}

namespace {

constexpr int kTableDraws = 50000;

// Outputs of the program for all words of the line at every epsilon.
std::vector<engine::WordPaths> pathsOnLine() {
    const auto space = test::lineSpace(kPlaces);
    const auto series = engine::createSeries(space, mechanism::Mahalanobis{}, {0.5}).value();
    return engine::computePaths(*series, test::rowsBelow(8), {kTableDraws}).value();
}

// inputs x outputs
std::vector<std::vector<int>> countedAt(double epsilon,
                                        const std::vector<engine::WordPaths>& paths) {
    std::vector<std::vector<int>> counts(kPlaces.size(), std::vector<int>(kPlaces.size()));
    for (std::size_t word = 0; word < kPlaces.size(); ++word) {
        for (const engine::Row output : engine::outputsAt(paths[word], epsilon)) {
            ++counts[word][static_cast<std::size_t>(output)];
        }
    }
    return counts;
}

}  // namespace

TEST_CASE("Outputs on a line have their closed-form probabilities") {
    // 16 tests of a row of the table each; false-alarm rate 1e-6 together.
    const auto paths = pathsOnLine();
    for (const double epsilon : {0.3, 0.8}) {
        const RowMatrixD table = probabilitiesAt(epsilon);
        const auto counts = countedAt(epsilon, paths);
        const RowMatrixD wrong = probabilitiesAt(1.1 * epsilon);
        for (std::size_t w = 0; w < kPlaces.size(); ++w) {
            const auto row = static_cast<Eigen::Index>(w);
            CAPTURE(epsilon, w);
            // All outputs are expected often enough for the approximation by the chi-squared law.
            REQUIRE(kTableDraws * table.row(row).minCoeff() > 50.0);
            const auto critical = test::chiSquareCritical(7, 1e-6 / 16.0);
            CHECK(test::chiSquare(counts[w], table.row(row)).statistic < critical);
            // The test has power: noise smaller by a tenth, which breaks the guarantee, is told
            // apart.
            CHECK(test::chiSquare(counts[w], wrong.row(row)).statistic > critical);
        }
    }
}

TEST_CASE("The law of critical epsilon on a line") {
    // For the leftmost word at distance g from its only neighbour: kept iff noise < g/2, so
    // Pr[critical <= epsilon] = 1 - exp(-epsilon g / 2) / 2.
    const auto space = test::lineSpace(kPlaces);
    const auto series = engine::createSeries(space, mechanism::Laplace{}, {}).value();
    constexpr int kDraws = 4000;
    const auto paths = engine::computePaths(*series, std::vector<engine::Row>{0}, {kDraws}).value();
    std::vector<double> positive;
    for (const engine::DrawPath& path : paths.front()) {
        const double value = path.criticalEpsilon(0);
        if (value > 0.0) {
            positive.push_back(value);
        }
    }
    // Half of the draws point away from every other word.
    const double half = 0.5 * kDraws;
    CHECK(std::fabs(static_cast<double>(positive.size()) - half) <
          test::normalCritical(1e-6) * std::sqrt(0.5 * half));
    CHECK(test::ksDistance(positive, [](double x) { return 1.0 - std::exp(-x); }) <
          test::ksCritical(positive.size(), 1e-6));
}

// How often the 95% intervals hold the true means, where the output law is known: on a line. Words
// of a block share draws, which correlates them more strongly in one dimension than in any other.

namespace {

constexpr Eigen::Index kWords = 400;
constexpr int kDraws = 40;
constexpr double kEpsilon = 60.0;
constexpr int kSeeds = 150;

std::vector<double> placesOnLine() {
    SeededStream stream(StreamKey{1, StreamPurpose{1003}, 0, 0});
    std::vector<double> places;
    for (Eigen::Index i = 0; i < kWords; ++i) {
        places.push_back(static_cast<double>(static_cast<float>(stream.normal())));
    }
    return places;
}

struct Means {
    double nw = 0.0;
    double sw = 0.0;
};

Means trueMeans(const std::vector<double>& places) {
    const RowMatrixD law = test::lineProbabilities(
        places, [](double low, double high) { return test::laplaceMass(low, high, kEpsilon); });
    Means means;
    for (Eigen::Index word = 0; word < kWords; ++word) {
        means.nw += kDraws * law(word, word) / static_cast<double>(kWords);
        for (Eigen::Index output = 0; output < kWords; ++output) {
            means.sw -=
                std::expm1(kDraws * std::log1p(-law(word, output))) / static_cast<double>(kWords);
        }
    }
    return means;
}

bool holds(const calibration::Summary& summary, double value) {
    return (*summary.ci95)[0] <= value && value <= (*summary.ci95)[1];
}

}  // namespace

TEST_CASE("Intervals hold the true means as often as they say, whatever words share draws") {
    // One block, several as the rule has them, and the fewest large ones.
    struct Shape {
        std::int64_t words;
        std::int64_t blockSize;
    };
    const auto shape = GENERATE(Shape{64, 0}, Shape{320, 0}, Shape{400, 200});
    const std::vector<double> places = placesOnLine();
    const auto space = test::lineSpace(places);
    calibration::CalibrationOptions options{{.words = {.count = shape.words},
                                             .draws = kDraws,
                                             .threads = 1,
                                             .blockSize = shape.blockSize},
                                            {mechanism::Laplace{}, {kEpsilon}}};
    const Means truth = trueMeans(places);
    int nw = 0;
    int sw = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        options.seed = static_cast<std::uint64_t>(seed);
        const auto summary = calibration::calibrate(space, options).value();
        nw += holds(summary.cells.front().nw, truth.nw) ? 1 : 0;
        sw += holds(summary.cells.front().sw, truth.sw) ? 1 : 0;
    }
    // A true coverage of 92% or more is let pass: intervals of the normal law are a little short
    // with few draws. Six counts; false-alarm rate 1e-6 together.
    const boost::math::binomial hits(kSeeds, 0.92);
    const double fewest = boost::math::quantile(hits, 1e-6 / 6.0);
    CAPTURE(shape.words, shape.blockSize, truth.nw, truth.sw, fewest);
    CHECK(nw >= fewest);
    CHECK(sw >= fewest);
}
