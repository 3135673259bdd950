#include "core/calibration/word_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/calibration/output_distribution.h"
#include "core/engine/draw_sweep.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

using DrawnOutputs = std::vector<std::vector<std::int32_t>>;  // words x draws

std::vector<CountedOutputs> counted(const DrawnOutputs& outputs) {
    std::vector<CountedOutputs> words;
    for (const auto& positions : outputs) {
        words.push_back(test::countedOutputs(positions));
    }
    return words;
}

DrawnOutputs randomOutputs(std::size_t words, std::size_t draws, std::uint64_t positions,
                           std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose{1001}, 0, 0});
    DrawnOutputs outputs(words, std::vector<std::int32_t>(draws));
    for (auto& word : outputs) {
        const std::uint64_t reach = 1 + stream.below(positions);
        for (std::int32_t& position : word) {
            position = static_cast<std::int32_t>(stream.below(reach));
        }
    }
    return outputs;
}

// By the definitions, from sets.
std::vector<std::int32_t> bruteForceShared(const DrawnOutputs& outputs) {
    std::vector<std::set<std::int32_t>> sets;
    for (const auto& positions : outputs) {
        sets.emplace_back(positions.begin(), positions.end());
    }
    std::vector<std::int32_t> result;
    for (const auto& own : sets) {
        std::int32_t least = 1 << 30;
        for (const std::int32_t output : own) {
            const auto givers = std::ranges::count_if(
                sets, [&](const auto& other) { return other.contains(output); });
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
        const DrawnOutputs outputs = randomOutputs(30, 40, 25, seed);
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
        const DrawnOutputs outputs = randomOutputs(25, 200, 15, 100 + seed);
        std::vector<std::map<std::int32_t, int>> counts(outputs.size());
        for (std::size_t word = 0; word < outputs.size(); ++word) {
            for (const std::int32_t output : outputs[word]) {
                ++counts[word][output];
            }
        }
        for (const double odds : {1.0, 1.5, 2.0, 10.0}) {
            CAPTURE(seed, odds);
            const auto found = sampledDeniability(counted(outputs), odds);
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

using mechanism::TruncatedExponential;
using metric::Metric;

namespace {

engine::MetricSpace spaceOf(const RowMatrixF& vectors, Metric metric) {
    return test::metricSpaceOf(test::toyEmbedding(vectors), metric, 0.5);
}

// With every interval that begins at a probability.
std::vector<double> byDefinition(const engine::MetricSpace& space,
                                 const TruncatedExponential& mechanism, double odds) {
    const auto count = static_cast<std::size_t>(space.wordCount());
    std::vector<std::vector<double>> laws;
    laws.reserve(count);
    for (engine::Row word = 0; word < space.wordCount(); ++word) {
        std::vector<double> distances(count);
        for (std::size_t other = 0; other < count; ++other) {
            distances[other] = space.distance(word, static_cast<engine::Row>(other));
        }
        laws.push_back(test::lawOf(mechanism, distances));
    }
    std::vector<double> result(count);
    for (std::size_t u = 0; u < count; ++u) {
        std::vector<std::int64_t> largest(count);
        for (std::size_t low = 0; low < count; ++low) {
            const double x = laws[low][u];
            const auto isInside = [&](const std::vector<double>& law) {
                return law[u] >= x * (1.0 - 1e-12) && law[u] <= odds * x * (1.0 + 1e-12);
            };
            const auto size = std::ranges::count_if(laws, isInside);
            for (std::size_t w = 0; w < count; ++w) {
                largest[w] = isInside(laws[w]) ? std::max(largest[w], size) : largest[w];
            }
        }
        for (std::size_t w = 0; w < count; ++w) {
            result[w] += laws[w][u] * static_cast<double>(largest[w]);
        }
    }
    return result;
}

}  // namespace

TEST_CASE("Deniability is the mean size of the largest set, by definition") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    RowMatrixF vectors = test::anisotropicVectors(70, 3, 101);
    vectors.row(8) = vectors.row(3);
    const engine::MetricSpace space = spaceOf(vectors, metric);
    for (const double epsilon : {0.3, 3.0, 12.0}) {
        for (const double gamma : {0.7, 50.0}) {
            const auto mechanism = TruncatedExponential::create(epsilon, gamma).value();
            for (const double odds : {1.02, 2.0, 20.0}) {
                const std::vector<double> expected = byDefinition(space, mechanism, odds);
                const auto exact =
                    exactDeniability(space, mechanism, test::rowsBelow(70), odds, 1).value();
                for (std::size_t w = 0; w < expected.size(); ++w) {
                    CAPTURE(metric::metricName(metric), epsilon, gamma, odds, w);
                    REQUIRE(exact[w] == Approx(expected[w]).epsilon(1e-10));
                }
                const std::vector<engine::Row> one{8};
                REQUIRE(exactDeniability(space, mechanism, one, odds, 3).value()[0] == exact[8]);
            }
        }
    }
}

TEST_CASE(
    "Deniability is V for a uniform output and at odds of the cap, 1 for words that stand out") {
    const engine::MetricSpace space =
        spaceOf(test::anisotropicVectors(130, 4, 102), Metric::euclidean);
    const std::vector<engine::Row> words{0, 64, 129};
    const auto all = [&](const TruncatedExponential& mechanism, double odds, double expected) {
        const std::vector<double> values = exactDeniability(space, mechanism, words, odds).value();
        for (const double value : values) {
            CHECK(value == Approx(expected).epsilon(1e-12));
        }
    };
    all(TruncatedExponential::create(3.0, 0.0).value(), 1.0, 130.0);
    // No two probabilities of an output differ by more than the cap.
    all(TruncatedExponential::create(2.0, 1.5).value(), std::exp(3.0), 130.0);
    all(TruncatedExponential::create(1e4, 1.0).value(), 2.0, 1.0);
}

TEST_CASE("A stopped computation of deniability says so") {
    const engine::MetricSpace space =
        spaceOf(test::anisotropicVectors(20, 2, 104), Metric::euclidean);
    const auto mechanism = TruncatedExponential::create(3.0, 2.0).value();
    const std::vector<engine::Row> words{1};
    test::checkRefused(exactDeniability(space, mechanism, words, 2.0, 1, test::stoppedJob()),
                       ErrorCode::cancelled);
}

TEST_CASE("Outputs are counted, classed and ordered") {
    // Breaks in 1/epsilon: at epsilon = 1 four draws have left the word.
    const engine::WordPaths paths{
        {{}, {4}},       {{2.0}, {4, 8}},         {{0.5}, {4, 9}},
        {{0.5}, {4, 9}}, {{0.1, 0.9}, {4, 7, 2}}, {{0.1, 1.1}, {4, 2, 3}}};
    engine::Neighbourhood neighbours;
    neighbours.rows = {9, 3};
    neighbours.distances = {0.1, 0.2};
    const OutputDistribution result =
        outputDistribution(4, engine::outputsAt(paths, 1.0), neighbours);
    CHECK(result.draws == 6);
    CHECK(result.kept == 2);
    CHECK(result.near == 2);
    CHECK(result.far == 2);
    REQUIRE(result.distinct() == 3);
    CHECK(result.outputs[0].row == 2);
    CHECK(result.outputs[0].outputClass == OutputClass::far);
    CHECK(result.outputs[1].row == 4);
    CHECK(result.outputs[1].outputClass == OutputClass::kept);
    CHECK(result.outputs[2].row == 9);
    CHECK(result.outputs[2].outputClass == OutputClass::near);
    CHECK(classify(4, 3, neighbours) == OutputClass::near);
    CHECK(classify(4, 5, neighbours) == OutputClass::far);
}
