#include "core/base/random_stream.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;

namespace {

// Kolmogorov-Smirnov distance between a sample and a distribution function.
template <typename Cdf>
double ksDistance(std::vector<double> sample, Cdf cdf) {
    std::sort(sample.begin(), sample.end());
    const double n = static_cast<double>(sample.size());
    double distance = 0.0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const double p = cdf(sample[i]);
        distance = std::max(
            {distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
    }
    return distance;
}

// Critical value for a false-alarm rate of 1e-6: sqrt(-ln(rate/2)/2)/sqrt(n), the leading term of
// the Kolmogorov distribution.
double ksCritical(std::size_t n) {
    return std::sqrt(-0.5 * std::log(0.5e-6)) / std::sqrt(static_cast<double>(n));
}

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

TEST_CASE("Uniform and normal numbers follow their laws (false-alarm rate 1e-6 each)") {
    SeededStream stream({1, StreamPurpose::unitDraws, 0, 0});
    std::vector<double> uniform(20000);
    std::vector<double> normal(20000);
    std::generate(uniform.begin(), uniform.end(), [&] { return stream.uniform(); });
    std::generate(normal.begin(), normal.end(), [&] { return stream.normal(); });
    CHECK(ksDistance(uniform, [](double x) { return x; }) < ksCritical(uniform.size()));
    CHECK(ksDistance(normal, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }) <
          ksCritical(normal.size()));
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
