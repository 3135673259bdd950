#include "core/engine/score_kernel.h"

#include <algorithm>
#include <cmath>

#include <hwy/targets.h>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/aligned_matrix.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

constexpr std::int64_t kTiles = 5;
constexpr std::int64_t kWidth = kTiles * kTileWidth;

void fill(AlignedMatrix& matrix, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose{1001}, 0, 0});
    for (std::int64_t i = 0; i < kWidth; ++i) {
        matrix.row(0)[i] = static_cast<float>(stream.normal());
    }
}

}  // namespace

TEST_CASE("Tile minima are those of the formula on every instruction set compiled in") {
    AlignedMatrix a(1, kWidth);
    AlignedMatrix p(1, kWidth);
    fill(a, 1);
    fill(p, 2);
    std::vector<ScoreWeights> weights;
    for (const double epsilon : {0.01, 0.5, 1.0, 2.0, 7.0, 100.0, 1e9}) {
        weights.push_back(ScoreWeights::atEpsilon(epsilon));
    }
    int targets = 0;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        CAPTURE(hwy::TargetName(target));
        ++targets;
        std::vector<float> minima(weights.size() * kTiles);
        tileMinima(a.row(0), p.row(0), kTiles, weights, minima.data());
        for (std::size_t k = 0; k < weights.size(); ++k) {
            for (std::int64_t tile = 0; tile < kTiles; ++tile) {
                double least = 1e300;
                for (std::int64_t i = tile * kTileWidth; i < (tile + 1) * kTileWidth; ++i) {
                    least = std::min(least,
                                     weights[k].alpha * a.row(0)[i] - weights[k].tau * p.row(0)[i]);
                }
                // Two roundings of numbers of size 4.
                REQUIRE_THAT(minima[k * kTiles + static_cast<std::size_t>(tile)],
                             Catch::WithinAbs(least, 4.0 * 3.0 * 0x1p-24));
            }
        }
        std::vector<std::int32_t> found;
        collectWithin(a.row(0), p.row(0), 2, weights[2], minima[2 * kTiles + 2], found);
        REQUIRE(found.size() == 1);
        REQUIRE(found[0] / kTileWidth == 2);
    }
    hwy::SetSupportedTargetsForTest(0);
    CHECK(targets >= 1);
}

TEST_CASE("Weights stay finite for every epsilon") {
    for (const double epsilon : {5e-324, 1e-300, 1.0, 1e300}) {
        const ScoreWeights weights = ScoreWeights::atEpsilon(epsilon);
        CHECK(std::isfinite(weights.alpha));
        CHECK(std::isfinite(weights.tau));
        CHECK(std::max(weights.alpha, weights.tau) == 1.0);
    }
    CHECK(ScoreWeights::atEpsilon(4.0).tau == 0.5);
    CHECK(ScoreWeights::atEpsilon(1.0).alpha == 0.5);
}
