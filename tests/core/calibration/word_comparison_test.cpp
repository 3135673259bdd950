#include "core/calibration/word_comparison.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/core/calibration/brute_runs.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

using Outputs = std::vector<std::vector<std::int32_t>>;  // words x draws

std::vector<CountedOutputs> counted(const Outputs& outputs) {
    std::vector<CountedOutputs> words;
    for (const auto& positions : outputs) {
        words.push_back(test::countedOutputs(positions));
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
