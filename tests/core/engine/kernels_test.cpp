#include "core/engine/exponential_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/power_kernel.h"
#include "core/engine/score_kernel.h"
#include "tests/support/simd_targets.h"

using namespace epsilens;
using namespace epsilens::engine;

// Reference: the same sums in long double with the standard library's exp, log1p and expm1.

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

// Reference: the same sums in long double with the standard library's exp2.

namespace {

constexpr double kRoundoff = 0x1p-24;

struct PowerRow {
    explicit PowerRow(std::int64_t words) : count(words), distances(1, words), cosines(1, words) {
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

Expected reference(const PowerRow& row, float rate, float cap) {
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
    const std::int64_t count = GENERATE(64, 128, 192, 2048, 2112, 20'480);
    const float rate = GENERATE(0.0F, 1e-30F, 0.7F, 9.0F, 25.0F, 60.0F, 1e30F);
    const float cap = GENERATE(0.0F, 5.0F, 13.0F, 24.75F, kLargestPower);
    const PowerRow row(count);
    const Expected expected = reference(row, rate, cap);
    CAPTURE(count, rate, cap);
    // A weight has at most 4 roundings beside its exponent, a sum 56.
    constexpr double kSum = 60.0;
    for (const std::int64_t target : test::simdTargets()) {
        const test::OnTarget onTarget(target);
        const PowerSums sums = row.sums(rate, cap);
        checkSum(sums.weights, expected.weights, kSum);
        checkSum(sums.exponents, expected.exponents, kSum + 1.0);
        checkSum(sums.distances, expected.distances, kSum + 1.0);
        checkSum(sums.squares, expected.squares, kSum + 5.0);
        checkSum(sums.cubes, expected.cubes, kSum + 10.0);
        checkSum(sums.fourths, expected.fourths, kSum + 14.0);
        CHECK(std::abs(sums.cosines - static_cast<double>(expected.cosines)) <=
              (kSum + 1.0) * kRoundoff * static_cast<double>(expected.weights));
    }
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
        const PowerRow row(1024);
        AlignedMatrix copy(1, 1024);
        const float largest = copyWithLargest(row.distances.row(0), count, copy.row(0));
        CHECK(largest == *std::max_element(row.distances.row(0), row.distances.row(0) + count));
        CHECK(std::equal(copy.row(0), copy.row(0) + count, row.distances.row(0)));
    }
}

namespace {

// Random A, P, C over some tiles, the last one partly padding.
class Table {
public:
    explicit Table(std::int64_t tiles) : m_tiles(tiles), m_positions(tiles * kTileWidth - 10) {
        for (Values* values : {&m_a, &m_p, &m_c}) {
            values->resize(static_cast<std::size_t>(tiles * kTileWidth) + kSlack);
        }
        for (Values* values : {&m_leastA, &m_largestP, &m_leastC, &m_largestC}) {
            values->resize(static_cast<std::size_t>(boundCount(tiles)) + kSlack);
        }
        SeededStream stream(StreamKey{1, StreamPurpose{1001}, 0, 0});
        for (std::int64_t i = 0; i < tiles * kTileWidth; ++i) {
            const bool isPadding = i >= m_positions;
            aligned(m_a)[i] = isPadding ? kPaddingA<double> : stream.normal();
            aligned(m_p)[i] = isPadding ? kPaddingP<double> : stream.normal();
            aligned(m_c)[i] = isPadding ? 0.0 : stream.normal();
        }
    }
    void computeBounds() {
        leastBounds(aligned(m_a), m_tiles, aligned(m_leastA));
        largestBounds(aligned(m_p), m_tiles, aligned(m_largestP));
        leastBounds(aligned(m_c), m_tiles, aligned(m_leastC));
        largestBounds(aligned(m_c), m_tiles, aligned(m_largestC));
    }
    [[nodiscard]] ScoreRows rows() {
        return {aligned(m_a),        aligned(m_p),      aligned(m_c),        aligned(m_leastA),
                aligned(m_largestP), aligned(m_leastC), aligned(m_largestC), m_tiles};
    }
    [[nodiscard]] std::int64_t positions() const { return m_positions; }

private:
    using Values = std::vector<double>;
    static constexpr std::size_t kSlack = AlignedMatrix::kAlignment / sizeof(double);

    static double* aligned(Values& values) {
        void* start = values.data();
        std::size_t room = values.size() * sizeof(double);
        return static_cast<double*>(std::align(
            AlignedMatrix::kAlignment, (values.size() - kSlack) * sizeof(double), start, room));
    }

    std::int64_t m_tiles;
    std::int64_t m_positions;
    Values m_a, m_p, m_c, m_leastA, m_largestP, m_leastC, m_largestC;
};

// Every position clearly within the slack is found, none clearly beyond it, each once.
void requireComplete(Table& table, const ScoreWeights& weights, double slack,
                     const Candidates& found) {
    const ScoreRows rows = table.rows();
    std::vector<double> scores;
    for (std::int64_t i = 0; i < table.positions(); ++i) {
        scores.push_back(weights.alpha * rows.a[i] - weights.tau * rows.p[i] +
                         weights.kappa * rows.c[i]);
    }
    const double least = *std::ranges::min_element(scores);
    const double tolerance = 64.0 * std::numeric_limits<double>::epsilon();
    std::set<std::int32_t> positions(
        found.positions.begin(),
        found.positions.begin() + static_cast<std::ptrdiff_t>(found.count));
    REQUIRE(positions.size() == found.count);
    for (std::int64_t i = 0; i < table.positions(); ++i) {
        const double excess = scores[static_cast<std::size_t>(i)] - least;
        const bool isFound = positions.contains(static_cast<std::int32_t>(i));
        if (excess <= slack - tolerance || excess == 0.0) {
            REQUIRE(isFound);
        }
        if (excess > slack + tolerance) {
            REQUIRE_FALSE(isFound);
        }
    }
}

}  // namespace

TEST_CASE("The search finds what a plain loop finds") {
    Table table(GENERATE(1, 5, 16, 17, 300));
    std::vector<ScoreWeights> weights{{0.0, 1.0, 0.0}};
    for (const double epsilon : {0.01, 0.5, 2.0, 7.0, 1e9}) {
        weights.push_back(ScoreWeights::atEpsilon(epsilon));
    }
    weights.push_back({1.0, 0.7, 0.4});
    weights.push_back({0.9, 1.0, -0.8});
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    table.computeBounds();
    Candidates found;
    for (const ScoreWeights& weight : weights) {
        for (const double slack : {0.0, 0.1}) {
            const double infinity = std::numeric_limits<double>::infinity();
            searchTiles(table.rows(), weight, infinity, slack, found);
            REQUIRE(found.count >= 1);
            requireComplete(table, weight, slack, found);
            // Starting from an attained score, however that is rounded, changes nothing.
            const std::size_t count = found.count;
            const double attained = scoreAt(table.rows(), weight, found.positions.front());
            searchTiles(table.rows(), weight, attained + 1e-12, slack, found);
            REQUIRE(found.count == count);
        }
    }
}

TEST_CASE("Kernels are tested on every instruction set that the processor has") {
    const std::vector<std::int64_t> targets = test::simdTargets();
    std::string names;
    for (const std::int64_t target : targets) {
        const test::OnTarget onTarget(target);
        CHECK(test::simdTargets() == std::vector<std::int64_t>{target});
        names += ' ';
        names += hwy::TargetName(target);
    }
    CHECK(targets.size() >= 2);
    WARN("Instruction sets tested:" << names);
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
