#include "core/engine/power_kernel.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/aligned_matrix.h"
#include "tests/support/simd_targets.h"

// Reference: the same sums in long double with the standard library's exp2.

using namespace epsilens;
using namespace epsilens::engine;

namespace {

constexpr double kRoundoff = 0x1p-24;

struct Row {
    explicit Row(std::int64_t words) : count(words), distances(1, words), cosines(1, words) {
        SeededStream stream(StreamKey{33, StreamPurpose{1002}, 0, 0});
        for (std::int64_t i = 0; i < count; ++i) {
            // Long stretches on either side of a radius, and words that alternate around it.
            const double near = i % 512 < 256 ? 0.5 : 1.5;
            distances.row(0)[i] = static_cast<float>(near + 0.7 * stream.uniform());
            cosines.row(0)[i] = static_cast<float>(2.0 * stream.uniform() - 1.0);
        }
    }

    [[nodiscard]] float largest() const {
        return *std::max_element(distances.row(0), distances.row(0) + count);
    }
    [[nodiscard]] PowerSums sums(float rate, float cap) const {
        return powerSums(distances.row(0), cosines.row(0), count, rate, cap, largest(),
                         rowTotals(distances.row(0), cosines.row(0), count));
    }

    std::int64_t count;
    AlignedMatrix distances;
    AlignedMatrix cosines;
};

struct Expected {
    long double weights = 0.0L, exponents = 0.0L, distances = 0.0L, cosines = 0.0L;
    long double squares = 0.0L, cubes = 0.0L, fourths = 0.0L;
};

Expected reference(const Row& row, float rate, float cap) {
    Expected expected;
    for (std::int64_t i = 0; i < row.count; ++i) {
        const float distance = row.distances.row(0)[i];
        // Rounded as in the kernel, so that what is left is the error of the weights.
        const auto y = static_cast<long double>(std::min(rate * distance, cap));
        const long double weight = std::exp2(-y);
        expected.weights += weight;
        expected.exponents += y * weight;
        expected.distances += static_cast<long double>(distance) * weight;
        expected.cosines += static_cast<long double>(row.cosines.row(0)[i]) * weight;
        expected.squares += weight * weight;
        expected.cubes += weight * weight * weight;
        expected.fourths += weight * weight * weight * weight;
    }
    return expected;
}

// What falls below the normal range of float32 may be missing.
void checkSum(double computed, long double exact, double roundoffs) {
    const auto expected = static_cast<double>(exact);
    CHECK(std::abs(computed - expected) <= roundoffs * kRoundoff * expected + 0x1p-100);
}

}  // namespace

TEST_CASE("Sums of powers equal long double below, around and beyond the cap") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const std::int64_t count = GENERATE(64, 128, 192, 2048, 2112, 20'480);
    const float rate = GENERATE(0.0F, 1e-30F, 0.7F, 9.0F, 25.0F, 60.0F, 1e30F);
    const float cap = GENERATE(0.0F, 5.0F, 13.0F, 24.75F, kLargestPower);
    const Row row(count);
    const PowerSums sums = row.sums(rate, cap);
    const Expected expected = reference(row, rate, cap);
    CAPTURE(count, rate, cap);
    // A weight has at most 4 roundings beside its exponent, a sum 56.
    constexpr double kSum = 60.0;
    checkSum(sums.weights, expected.weights, kSum);
    checkSum(sums.exponents, expected.exponents, kSum + 1.0);
    checkSum(sums.distances, expected.distances, kSum + 1.0);
    checkSum(sums.squares, expected.squares, kSum + 5.0);
    checkSum(sums.cubes, expected.cubes, kSum + 10.0);
    checkSum(sums.fourths, expected.fourths, kSum + 14.0);
    CHECK(std::abs(sums.cosines - static_cast<double>(expected.cosines)) <=
          (kSum + 1.0) * kRoundoff * static_cast<double>(expected.weights));
}

TEST_CASE("A weight is within four roundings of the power, and exactly 1 at 0") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    AlignedMatrix distances(1, kPowerStep);
    AlignedMatrix one(1, kPowerStep);
    std::fill_n(one.row(0), kPowerStep, 0.0F);
    one.row(0)[0] = 1.0F;
    // A sum to which all weights but one add 0: it is that weight, without a rounding of its own.
    const auto weightAt = [&](float y) {
        std::fill_n(distances.row(0), kPowerStep, y);
        return powerSums(distances.row(0), one.row(0), kPowerStep, 1.0F, kLargestPower, y, {})
            .cosines;
    };
    CHECK(weightAt(0.0F) == 1.0);
    double worst = 0.0;
    const auto look = [&](float y) {
        worst = std::max(worst, std::abs(weightAt(y) / std::exp2(-static_cast<double>(y)) - 1.0));
    };
    for (int i = 0; i < 100'000; ++i) {
        look(static_cast<float>(1.24e-3 * i));  // up to 124
        look(static_cast<float>(0x1p-15 * i));
        look(static_cast<float>(std::exp2(-30.0 + 3e-4 * i)));
    }
    CHECK(worst <= 4.0 * kRoundoff);
}

TEST_CASE("Sums that lose all but their first weight stay within the stated roundings") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const bool reachesCap = GENERATE(false, true);
    // 1 + 2^-24.05 is rounded to 1 in float32, and the sum of the other weights of a lane is not.
    const std::int64_t count = 2048;
    AlignedMatrix distances(1, count);
    AlignedMatrix zeros(1, count);
    std::fill_n(distances.row(0), count, 24.05F);
    std::fill_n(zeros.row(0), count, 0.0F);
    distances.row(0)[0] = 0.0F;
    const float largest = reachesCap ? kLargestPower : 24.05F;
    distances.row(0)[count - 1] = largest;
    const double sum = powerSums(distances.row(0), zeros.row(0), count, 1.0F, kLargestPower,
                                 largest, rowTotals(distances.row(0), zeros.row(0), count))
                           .weights;
    const double expected =
        1.0 + static_cast<double>(count - 2) * std::exp2(-static_cast<double>(24.05F)) +
        std::exp2(-static_cast<double>(largest));
    CHECK(std::abs(sum / expected - 1.0) <= (kMostPowerRoundings + 4.0) * kRoundoff);
}

TEST_CASE("A copied row has its largest entry") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    for (const std::int64_t count : {1, 15, 16, 17, 63, 64, 65, 1000}) {
        const Row row(1024);
        AlignedMatrix copy(1, 1024);
        const float largest = copyWithLargest(row.distances.row(0), count, copy.row(0));
        CHECK(largest == *std::max_element(row.distances.row(0), row.distances.row(0) + count));
        CHECK(std::equal(copy.row(0), copy.row(0) + count, row.distances.row(0)));
    }
}
