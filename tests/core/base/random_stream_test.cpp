#include "core/base/random_stream.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/operating_system_stream.h"
#include "tests/support/statistical.h"

using namespace epsilens;
using test::ksCritical;
using test::ksDistance;

namespace {

// The numbers cannot be repeated: a true program fails each check with this probability.
constexpr double kFalseAlarms = 1e-9;

struct RepeatableStream : SeededStream {
    RepeatableStream() : SeededStream({1, StreamPurpose::wordSelection, 0, 0}) {}
};

}  // namespace

TEST_CASE("The generator is Philox 4x32-10") {
    // Known answer for counter 0, key 0: kat_vectors of Random123 (Salmon et al. 2011).
    SeededStream stream({0, StreamPurpose{0}, 0, 0});
    CHECK(stream() == 0xe169c58d'6627e8d5ULL);
    CHECK(stream() == 0x9b00dbd8'bc57ac4cULL);
}

TEST_CASE("Streams depend on every part of their key") {
    const StreamKey base{7, StreamPurpose::unitDraws, 1, 2};
    const std::uint64_t first = SeededStream(base)();
    CHECK(SeededStream(base)() == first);
    CHECK(SeededStream({8, StreamPurpose::unitDraws, 1, 2})() != first);
    CHECK(SeededStream({7 + (std::uint64_t{1} << 32), StreamPurpose::unitDraws, 1, 2})() != first);
    CHECK(SeededStream({7, StreamPurpose::sentence, 1, 2})() != first);
    CHECK(SeededStream({7, StreamPurpose::unitDraws, 2, 2})() != first);
    CHECK(SeededStream({7, StreamPurpose::unitDraws, 1, 3})() != first);
}

TEST_CASE("Every order comes out of a shuffle") {
    std::set<std::vector<std::size_t>> orders;  // one of six lacks with probability 1e-15
    for (std::uint32_t draw = 0; draw < 200; ++draw) {
        orders.insert(shuffledIndices(3, {1, StreamPurpose::unitDraws, 0, draw}));
    }
    CHECK(orders.size() == 6);
}

TEST_CASE("Uniform and normal numbers follow their laws (false-alarm rate 1e-6 each)") {
    SeededStream stream({1, StreamPurpose::unitDraws, 0, 0});
    std::vector<double> uniform(20000);
    std::vector<double> normal(20000);
    std::ranges::generate(uniform, [&] { return stream.uniform(); });
    std::ranges::generate(normal, [&] { return stream.normal(); });
    CHECK(ksDistance(uniform, [](double x) { return x; }) < ksCritical(uniform.size(), 1e-6));
    CHECK(ksDistance(normal, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }) <
          ksCritical(normal.size(), 1e-6));
    CHECK(*std::ranges::min_element(uniform) > 0.0);
    CHECK(*std::ranges::max_element(uniform) < 1.0);
}

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

TEST_CASE("Numbers of streams never repeat") {
    // 2^17 numbers of 64 bits: two agree by chance with probability 2^-31.
    std::vector<std::uint64_t> numbers;
    for (int stream = 0; stream < 16; ++stream) {
        OperatingSystemStream source;
        for (int i = 0; i < 8192; ++i) {
            numbers.push_back(source());
        }
    }
    std::ranges::sort(numbers);
    CHECK(std::ranges::adjacent_find(numbers) == numbers.end());
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

TEMPLATE_TEST_CASE("Whole numbers are below their bound and equally likely", "",
                   OperatingSystemStream, RepeatableStream) {
    TestType stream;
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
