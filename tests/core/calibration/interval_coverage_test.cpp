#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/calibration/calibrate.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/audit.h"

// How often the 95% intervals hold the true means, where the output law is known: on a line. Words
// of a block share draws, which correlates them more strongly in one dimension than in any other.

using namespace epsilens;

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
    RowMatrixF vectors(kWords, 1);
    for (Eigen::Index i = 0; i < kWords; ++i) {
        vectors(i, 0) = static_cast<float>(places[static_cast<std::size_t>(i)]);
    }
    const auto space = test::spaceOf(vectors);
    calibration::CalibrationOptions options;
    options.grid.epsilons = {kEpsilon};
    options.draws = kDraws;
    options.threads = 1;
    options.words.count = shape.words;
    options.blockSize = shape.blockSize;
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
