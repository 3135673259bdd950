#include "core/statistics/word_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/statistics/interval_sets.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::statistics;

namespace {

using Outputs = std::vector<std::vector<std::int32_t>>;  // words x draws

std::vector<CountedOutputs> counted(const Outputs& outputs) {
    std::vector<CountedOutputs> words;
    for (const auto& positions : outputs) {
        words.push_back(countOutputs(positions));
    }
    return words;
}

Outputs randomOutputs(std::size_t words, std::size_t draws, std::uint64_t positions,
                      std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose{1001}, 0, 0});
    Outputs outputs(words, std::vector<std::int32_t>(draws));
    for (auto& word : outputs) {
        const std::uint64_t reach = 1 + stream.below(positions);
        for (std::int32_t& position : word) {
            position = static_cast<std::int32_t>(stream.below(reach));
        }
    }
    return outputs;
}

// By the definitions, from sets.
std::vector<std::int32_t> bruteForceShared(const Outputs& outputs) {
    std::vector<std::set<std::int32_t>> sets;
    for (const auto& positions : outputs) {
        sets.emplace_back(positions.begin(), positions.end());
    }
    std::vector<std::int32_t> result;
    for (const auto& own : sets) {
        std::int32_t least = 1 << 30;
        for (const std::int32_t output : own) {
            const auto givers = std::count_if(sets.begin(), sets.end(), [&](const auto& other) {
                return other.contains(output);
            });
            least = std::min(least, static_cast<std::int32_t>(givers));
        }
        result.push_back(least);
    }
    return result;
}

// Every interval [x, g x] that begins at a count.
double bruteForceSetSize(const std::vector<std::map<std::int32_t, int>>& counts, std::size_t word,
                         std::int32_t output, double odds) {
    const int own = counts[word].at(output);
    int largest = 0;
    for (const auto& first : counts) {
        const auto start = first.find(output);
        if (start == first.end() || start->second > own || own > odds * start->second) {
            continue;
        }
        int inside = 0;
        for (const auto& other : counts) {
            const auto found = other.find(output);
            inside += found != other.end() && found->second >= start->second &&
                              found->second <= odds * start->second
                          ? 1
                          : 0;
        }
        largest = std::max(largest, inside);
    }
    return largest;
}

}  // namespace

TEST_CASE("Outputs are counted by rising position") {
    const std::vector<std::int32_t> positions{5, 2, 5, 9, 5};
    CHECK(countOutputs(positions) == CountedOutputs{{2, 1}, {5, 3}, {9, 1}});
}

TEST_CASE("K_w by hand") {
    // Output 1 is given by all three words, 2 by two, 3 by the first alone.
    const auto words = counted({{1, 1, 2, 3}, {1, 2, 2, 2}, {1, 1, 1, 1}});
    CHECK(sharedOutputs(words) == std::vector<std::int32_t>{1, 2, 3});
}

TEST_CASE("K_w equals brute force") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Outputs outputs = randomOutputs(30, 40, 25, seed);
        CAPTURE(seed);
        REQUIRE(sharedOutputs(counted(outputs)) == bruteForceShared(outputs));
    }
}

TEST_CASE("Sets of values in one interval, by hand") {
    // Intervals of length 2: {0, 1, 2} hold 0, 1 and 2; {4, 5} hold the rest, {2, 4} hold 2 too.
    CHECK(largestSets(std::vector<double>{0, 1, 2, 4, 5}, 2.0) ==
          std::vector<std::int32_t>{3, 3, 3, 2, 2});
    CHECK(largestSets(std::vector<double>{3, 3, 3}, 0.0) == std::vector<std::int32_t>{3, 3, 3});
    CHECK(largestSets({}, 1.0).empty());
}

TEST_CASE("Deniability by hand") {
    // Output 1: counts 20, 10, 30 of the three words. With g = 2 the sets are {10, 20} and
    // {20, 30}: two words for each. Output 2: 10 and 20 of the first two. Output 3: 10 of the first
    // alone.
    const auto words = counted([] {
        Outputs outputs(3);
        const auto add = [&](std::size_t word, std::int32_t output, std::size_t times) {
            outputs[word].insert(outputs[word].end(), times, output);
        };
        add(0, 1, 20);
        add(0, 2, 10);
        add(0, 3, 10);
        add(1, 1, 10);
        add(1, 2, 20);
        add(1, 4, 5);
        add(2, 1, 30);
        return outputs;
    }());
    const auto found = sampledDeniability(words, 2.0);
    // (20 x 2 + 10 x 2 + 10 x 1) / 40
    CHECK(found[0].size.value() == Approx(1.75).epsilon(1e-14));
    CHECK(found[0].share == 1.0);
    // Output 4 was seen five times only: (10 x 2 + 20 x 2) / 30, of 35 draws.
    CHECK(found[1].size.value() == Approx(2.0).epsilon(1e-14));
    CHECK(found[1].share == Approx(30.0 / 35.0).epsilon(1e-14));
    CHECK(found[2].size.value() == 2.0);
    // With g = 3 all three words share output 1.
    CHECK(sampledDeniability(words, 3.0)[2].size.value() == 3.0);
    CHECK(sampledDeniability(words, 1.0)[2].size.value() == 1.0);
    // Nothing seen often enough: no value.
    const auto none = sampledDeniability(words, 2.0, 31);
    CHECK_FALSE(none[0].size.has_value());
    CHECK(none[0].share == 0.0);
}

TEST_CASE("Deniability equals brute force") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Outputs outputs = randomOutputs(25, 200, 15, 100 + seed);
        std::vector<std::map<std::int32_t, int>> counts(outputs.size());
        for (std::size_t word = 0; word < outputs.size(); ++word) {
            for (const std::int32_t output : outputs[word]) {
                ++counts[word][output];
            }
        }
        for (const double odds : {1.0, 1.5, 2.0, 10.0}) {
            CAPTURE(seed, odds);
            const auto found = sampledDeniability(counted(outputs), odds, 10);
            for (std::size_t word = 0; word < outputs.size(); ++word) {
                double sum = 0.0;
                double draws = 0.0;
                for (const auto& [output, count] : counts[word]) {
                    if (count >= 10) {
                        sum += count * bruteForceSetSize(counts, word, output, odds);
                        draws += count;
                    }
                }
                REQUIRE(found[word].size.has_value() == (draws > 0));
                REQUIRE(found[word].share == Approx(draws / 200).epsilon(1e-14));
                if (draws > 0) {
                    REQUIRE(found[word].size.value() == Approx(sum / draws).epsilon(1e-12));
                }
            }
        }
    }
}

TEST_CASE("Shared draws bias K_w, draws of their own do not") {
    // 150 words in 12 dimensions, 60 draws, noise at which words are kept now and then. Under
    // shared draws all words move alike and land on different words, so that they share too few
    // outputs. The published example has a mean K_w of 1.4 instead of 3.2.
    const RowMatrixF vectors = test::anisotropicVectors(150, 12, 31);
    static constexpr int kDraws = 60;
    static constexpr double kEpsilon = 6.0;
    const auto noiseOf = [](std::uint32_t block) {
        RowMatrixF noise(kDraws, 12);
        for (Eigen::Index draw = 0; draw < kDraws; ++draw) {
            SeededStream stream(
                StreamKey{7, StreamPurpose{1003}, block, static_cast<std::uint32_t>(draw)});
            double radius = 0.0;  // Gamma(12, 1) as a sum of exponential variables
            for (int k = 0; k < 12; ++k) {
                radius -= std::log(stream.uniform());
            }
            VectorD direction(12);
            for (Eigen::Index k = 0; k < 12; ++k) {
                direction[k] = stream.normal();
            }
            noise.row(draw) = (direction.normalized() * radius).cast<float>().transpose();
        }
        return noise;
    };
    const auto meanSharing = [&](bool ownDraws) {
        Outputs outputs;
        for (embedding::Row word = 0; word < vectors.rows(); ++word) {
            const RowMatrixF noise = noiseOf(ownDraws ? static_cast<std::uint32_t>(word) : 0U);
            std::vector<std::int32_t> positions;
            for (Eigen::Index draw = 0; draw < kDraws; ++draw) {
                positions.push_back(
                    test::bruteForceNearest(vectors, word, noise.row(draw).transpose(), kEpsilon));
            }
            outputs.push_back(std::move(positions));
        }
        const auto shared = sharedOutputs(counted(outputs));
        return std::accumulate(shared.begin(), shared.end(), 0.0) /
               static_cast<double>(shared.size());
    };
    const double own = meanSharing(true);
    const double common = meanSharing(false);
    CAPTURE(own, common);
    CHECK(own > 1.3 * common);
}
