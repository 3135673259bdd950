#include "core/base/operating_system_stream.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/support/statistical.h"

using namespace epsilens;

// No seed, no key, no other stream makes one; none is copied, so that no two hand out the same.
static_assert(!std::is_constructible_v<OperatingSystemStream, std::uint64_t>);
static_assert(!std::is_constructible_v<OperatingSystemStream, StreamKey>);
static_assert(!std::is_constructible_v<OperatingSystemStream, SeededStream>);
static_assert(!std::is_copy_constructible_v<OperatingSystemStream>);
static_assert(!std::is_move_constructible_v<OperatingSystemStream>);
static_assert(!std::is_copy_assignable_v<OperatingSystemStream>);
static_assert(!std::is_base_of_v<SeededStream, OperatingSystemStream>);
static_assert(!std::is_base_of_v<OperatingSystemStream, SeededStream>);
static_assert(!std::is_convertible_v<SeededStream&, OperatingSystemStream&>);

namespace {

// The numbers cannot be repeated: a true program fails each check with this probability.
constexpr double kFalseAlarms = 1e-9;

}  // namespace

TEST_CASE("Numbers of streams never repeat") {
    // 2^17 numbers of 64 bits: two agree by chance with probability 2^-31.
    std::vector<std::uint64_t> numbers;
    for (int stream = 0; stream < 16; ++stream) {
        OperatingSystemStream source;
        for (int i = 0; i < 8192; ++i) {
            numbers.push_back(source());
        }
    }
    std::sort(numbers.begin(), numbers.end());
    CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
}

TEST_CASE("Every bit is set in half of the numbers") {
    OperatingSystemStream stream;
    constexpr int kNumbers = 40'000;
    std::vector<int> set(64);
    for (int i = 0; i < kNumbers; ++i) {
        const std::uint64_t bits = stream();
        for (std::size_t bit = 0; bit < 64; ++bit) {
            set[bit] += static_cast<int>((bits >> bit) & 1U);
        }
    }
    // Binomial with variance n/4; one of 64 bits may be at fault.
    const double limit = test::normalCritical(kFalseAlarms / 64) * std::sqrt(kNumbers / 4.0);
    for (const int count : set) {
        CHECK(std::abs(count - kNumbers / 2.0) < limit);
    }
}

TEST_CASE("Uniform numbers of the system are uniform and inside the open interval") {
    OperatingSystemStream stream;
    std::vector<double> sample;
    for (int i = 0; i < 100'000; ++i) {
        sample.push_back(stream.uniform());
        REQUIRE(sample.back() >= 0x1p-128);
        REQUIRE(sample.back() < 1.0);
    }
    CHECK(test::ksDistance(sample, [](double x) { return x; }) <
          test::ksCritical(sample.size(), kFalseAlarms));
    // Small numbers have all their digits: of those below 2^-8 half have an odd last digit of the
    // 53, where multiples of 2^-53 would have none.
    int small = 0;
    int odd = 0;
    for (const double x : sample) {
        if (x < 0x1p-8) {
            int exponent = 0;
            const auto digits = static_cast<std::uint64_t>(std::frexp(x, &exponent) * 0x1p53);
            ++small;
            odd += static_cast<int>(digits & 1U);
        }
    }
    REQUIRE(small > 100);
    CHECK(std::abs(odd - small / 2.0) <
          test::normalCritical(kFalseAlarms) * std::sqrt(small / 4.0));
}

TEST_CASE("Whole numbers of the system are below their bound and equally likely") {
    OperatingSystemStream stream;
    CHECK(stream.below(1) == 0);
    constexpr int kBound = 7;
    constexpr int kNumbers = 70'000;
    std::vector<int> counts(kBound);
    for (int i = 0; i < kNumbers; ++i) {
        ++counts.at(stream.below(kBound));
    }
    const double expected = kNumbers / static_cast<double>(kBound);
    const double limit =
        test::normalCritical(kFalseAlarms / kBound) * std::sqrt(expected * (1.0 - 1.0 / kBound));
    for (const int count : counts) {
        CHECK(std::abs(count - expected) < limit);
    }
    // Just above 2^63 half of all numbers must be drawn anew: a modulus would favour small ones.
    const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
    int low = 0;
    for (int i = 0; i < 10'000; ++i) {
        low += stream.below(bound) < bound / 2 ? 1 : 0;
    }
    CHECK(std::abs(low - 5'000) < test::normalCritical(kFalseAlarms) * 50.0);
}
