#include "core/base/random_stream.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/statistical.h"

using namespace epsilens;
using test::ksCritical;
using test::ksDistance;

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

TEST_CASE("Uniform and normal numbers follow their laws (false-alarm rate 1e-6 each)") {
    SeededStream stream({1, StreamPurpose::unitDraws, 0, 0});
    std::vector<double> uniform(20000);
    std::vector<double> normal(20000);
    std::generate(uniform.begin(), uniform.end(), [&] { return stream.uniform(); });
    std::generate(normal.begin(), normal.end(), [&] { return stream.normal(); });
    CHECK(ksDistance(uniform, [](double x) { return x; }) < ksCritical(uniform.size(), 1e-6));
    CHECK(ksDistance(normal, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }) <
          ksCritical(normal.size(), 1e-6));
    CHECK(*std::min_element(uniform.begin(), uniform.end()) > 0.0);
    CHECK(*std::max_element(uniform.begin(), uniform.end()) < 1.0);
}

TEST_CASE("Bounded integers are uniform (chi-square, 6 degrees of freedom, rate 1e-6)") {
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    std::vector<int> counts(7);
    for (int i = 0; i < 70000; ++i) {
        ++counts[stream.below(7)];
    }
    double statistic = 0.0;
    for (const int count : counts) {
        statistic += std::pow(count - 10000.0, 2) / 10000.0;
    }
    // Upper 1e-6 point of chi-square with 6 degrees of freedom.
    CHECK(statistic < 38.26);
}
