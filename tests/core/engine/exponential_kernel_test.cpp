#include "core/engine/exponential_kernel.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/score_kernel.h"
#include "tests/support/simd_targets.h"

// Reference: the same sums in long double with the standard library's exp, log1p and expm1.

using namespace epsilens;
using namespace epsilens::engine;

namespace {

struct KernelRow {
    explicit KernelRow(std::int64_t words, std::uint64_t seed)
        : count(words),
          distances(1, paddedRowLength(words)),
          cosines(1, distances.stride()),
          weights(1, distances.stride()) {
        SeededStream stream(StreamKey{seed, StreamPurpose{1001}, 0, 0});
        for (std::int64_t i = 0; i < distances.stride(); ++i) {
            distances.row(0)[i] = i < words ? static_cast<float>(3.0 * stream.uniform()) : 1e30F;
            cosines.row(0)[i] = static_cast<float>(2.0 * stream.uniform() - 1.0);
        }
        distances.row(0)[words / 2] = 0.0F;
    }

    std::int64_t count;
    AlignedMatrix distances;
    AlignedMatrix cosines;
    AlignedMatrix weights;
};

}  // namespace

TEST_CASE("Weights and their sums equal long double for any length") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const std::int64_t count = GENERATE(1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 5000);
    const double rate = GENERATE(0.0, 1e-30, 0.4, 7.0, 1e5, 1e38);
    const double cap = GENERATE(0.0, 2.5, 17.0, 87.0);
    KernelRow row(count, 31);
    const WeightSums sums =
        exponentialWeights(row.distances.row(0), row.cosines.row(0), count,
                           static_cast<float>(rate), static_cast<float>(cap), row.weights.row(0));
    long double weights = 0.0L;
    long double exponents = 0.0L;
    long double distances = 0.0L;
    long double cosines = 0.0L;
    long double capped = 0.0L;
    CAPTURE(count, rate, cap);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto distance = static_cast<long double>(row.distances.row(0)[i]);
        const long double x =
            std::min(static_cast<long double>(static_cast<float>(rate)) * distance,
                     static_cast<long double>(static_cast<float>(cap)));
        const long double weight = std::exp(-x);
        // (3 x + 2) 2^-24; here the rate and the distance are exact.
        const double allowed = (static_cast<double>(x) + 2.0) * 0x1p-24 * 1.01;
        REQUIRE(std::abs(static_cast<double>(row.weights.row(0)[i]) / static_cast<double>(weight) -
                         1.0) <= allowed);
        weights += weight;
        exponents += x * weight;
        distances += distance * weight;
        cosines += static_cast<long double>(row.cosines.row(0)[i]) * weight;
        capped += x == static_cast<long double>(static_cast<float>(cap)) ? weight : 0.0L;
    }
    const auto equal = [](double computed, long double exact, double scale) {
        return std::abs(computed - static_cast<double>(exact)) <= 4e-6 * scale;
    };
    CHECK(equal(sums.weights, weights, static_cast<double>(weights)));
    CHECK(equal(exponentialSum(row.distances.row(0), count, static_cast<float>(rate),
                               static_cast<float>(cap)),
                weights, static_cast<double>(weights)));
    CHECK(equal(sums.exponents, exponents, static_cast<double>(exponents) + 1e-30));
    CHECK(equal(sums.distances, distances, static_cast<double>(distances) + 1e-30));
    CHECK(equal(sums.cosines, cosines, static_cast<double>(weights)));
    CHECK(equal(sums.capped, capped, static_cast<double>(weights)));
    for (std::int64_t i = count; i < row.weights.stride(); ++i) {
        REQUIRE(row.weights.row(0)[i] == 0.0F);
    }
    // Without cosines the rest stays as it is.
    const WeightSums without =
        exponentialWeights(row.distances.row(0), nullptr, count, static_cast<float>(rate),
                           static_cast<float>(cap), row.weights.row(0));
    CHECK(without.weights == sums.weights);
    CHECK(without.cosines == 0.0);
}

TEST_CASE("Sums that lose all but their first weight have the roundings of 64 vectors") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    // 1 + e^-16.7 is rounded to 1 in float32.
    KernelRow row(256, 33);
    std::fill_n(row.distances.row(0), row.count, 16.7F);
    row.distances.row(0)[0] = 0.0F;
    const double sum = exponentialWeights(row.distances.row(0), nullptr, row.count, 1.0F,
                                          kLargestExponent, row.weights.row(0))
                           .weights;
    const double expected = 1.0 + 255.0 * std::exp(-static_cast<double>(16.7F));
    // 64 of vectors, 4 of the lanes of a vector.
    CHECK(std::abs(sum / expected - 1.0) <= 68.0 * 0x1p-24);
}

TEST_CASE("Expected distinct words equal the sum of -expm1(R log1p(-p)) in long double") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const std::int64_t count = GENERATE(1, 3, 64, 100, 1000, 20000);
    const int draws = GENERATE(1, 2, 3, 7, 100, 1000, 4096, 1'000'000);
    const double rate = GENERATE(0.0, 1.0, 8.0, 60.0);
    KernelRow row(count, 32);
    const WeightSums sums = exponentialWeights(row.distances.row(0), nullptr, count,
                                               static_cast<float>(rate), 40.0F, row.weights.row(0));
    const double distinct = expectedDistinct(row.weights.row(0), count, sums.weights, draws);
    long double expected = 0.0L;
    for (std::int64_t i = 0; i < count; ++i) {
        const long double p = static_cast<long double>(row.weights.row(0)[i]) /
                              static_cast<long double>(sums.weights);
        expected += p >= 1.0L ? 1.0L : -std::expm1(draws * std::log1p(-p));
    }
    CAPTURE(count, draws, rate);
    CHECK(distinct == Approx(static_cast<double>(expected)).epsilon(5e-6));
    CHECK(distinct <= draws);
}

TEST_CASE("Exponentials in float64 equal those in long double") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const std::size_t count = GENERATE(0U, 1U, 3U, 7U, 8U, 9U, 200U);
    const double rate = GENERATE(0.0, 0.7, 70.0, 1e5);
    SeededStream stream(StreamKey{35, StreamPurpose{1001}, 0, 0});
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(i == 1 ? 0.0 : 10.0 * stream.uniform());
    }
    std::vector<double> powers(count);
    exponentials(values, rate, powers);
    for (std::size_t i = 0; i < count; ++i) {
        // The product is rounded once.
        const double exponent = rate * values[i];
        const long double expected = std::exp(-static_cast<long double>(exponent));
        if (exponent > 700.0) {
            CHECK(powers[i] >= 0.0);
            CHECK(powers[i] <= 1.001L * expected + 0x1p-1074L);
            continue;
        }
        CHECK(std::abs(static_cast<long double>(powers[i]) / expected - 1.0L) < 0x1p-50L);
    }
}
