#include "core/calibration/word_outputs.h"

#include <cmath>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/elliptical_series.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

struct Reference {
    std::map<std::int32_t, int> counts;
    double draws;

    explicit Reference(const std::vector<std::int32_t>& outputs)
        : draws(static_cast<double>(outputs.size())) {
        for (const std::int32_t output : outputs) {
            ++counts[output];
        }
    }
    [[nodiscard]] double shannon() const {
        double entropy = 0.0;
        for (const auto& [output, count] : counts) {
            entropy -= count / draws * std::log2(count / draws);
        }
        return entropy;
    }
    [[nodiscard]] double min() const {
        int largest = 0;
        for (const auto& [output, count] : counts) {
            largest = std::max(largest, count);
        }
        return -std::log2(largest / draws);
    }
};

}  // namespace

TEST_CASE("Word statistics equal their definitions, with and without each draw") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(50, 4, 51)));
    const embedding::Row word = 7;
    const std::vector<embedding::Row> words{word};
    const auto neighbours = engine::nearestNeighbours(space, words, 10).value().front();
    SeededStream stream(StreamKey{52, StreamPurpose{1003}, 0, 0});
    const int spread = GENERATE(1, 3, 12, 50);
    std::vector<std::int32_t> outputs(20);
    std::vector<std::int32_t> positions(20);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i] =
            static_cast<std::int32_t>((7 + stream.below(static_cast<std::uint64_t>(spread))) % 50);
        positions[i] = static_cast<std::int32_t>(space.positionOf(outputs[i]));
    }
    const auto series = engine::EllipticalSeries::create(space, std::vector{0.0}).value();
    WordOutputs counter(*series, 20);
    counter.setWord(word, neighbours);
    DrawSums sums(20);
    const WordStatistics statistics = counter.count(positions, sums);

    const Reference reference(outputs);
    CHECK(statistics.distinct == static_cast<int>(reference.counts.size()));
    CHECK(statistics.shannonEntropy == Approx(reference.shannon()).margin(1e-12));
    CHECK(statistics.minEntropy == Approx(reference.min()).margin(1e-12));
    const std::set<embedding::Row> near(neighbours.rows.begin(), neighbours.rows.end());
    int kept = 0;
    int nearCount = 0;
    int singletons = 0;
    double distance = 0.0;
    double cosine = 0.0;
    for (const auto& [output, count] : reference.counts) {
        kept += output == word ? count : 0;
        nearCount += near.contains(output) ? count : 0;
        singletons += count == 1 ? 1 : 0;
        const VectorD a = space.embedding().vectors().row(word).cast<double>().transpose();
        const VectorD b = space.embedding().vectors().row(output).cast<double>().transpose();
        distance += count * (a - b).norm();
        cosine += count * a.dot(b) / (a.norm() * b.norm());
    }
    CHECK(statistics.kept == kept);
    CHECK(statistics.near == nearCount);
    CHECK(statistics.singletons == singletons);
    CHECK(statistics.distanceSum == Approx(distance).margin(1e-9));
    CHECK(statistics.cosineSum == Approx(cosine).margin(1e-9));

    for (std::size_t draw = 0; draw < outputs.size(); ++draw) {
        std::vector<std::int32_t> rest = outputs;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(draw));
        const Reference without(rest);
        CHECK(sums.of[kKept][draw] == (outputs[draw] == word ? 1.0 : 0.0));
        CHECK(sums.of[kDistinct][draw] == static_cast<double>(without.counts.size()));
        CHECK(sums.of[kHartley][draw] ==
              Approx(std::log2(static_cast<double>(without.counts.size()))).margin(1e-12));
        CHECK(sums.of[kShannonEntropy][draw] == Approx(without.shannon()).margin(1e-12));
        CHECK(sums.of[kMinEntropy][draw] == Approx(without.min()).margin(1e-12));
    }
    DrawSums same(20);
    counter.addAgain(same);
    CHECK(same.of[kKept] == sums.of[kKept]);
    CHECK(same.of[kDistinct] == sums.of[kDistinct]);
    CHECK(same.of[kHartley] == sums.of[kHartley]);
    CHECK(same.of[kMinEntropy] == sums.of[kMinEntropy]);
    CHECK(same.of[kShannonEntropy] == sums.of[kShannonEntropy]);
    // A second word starts from clean scratch memory.
    DrawSums again(20);
    counter.setWord(word, neighbours);
    CHECK(counter.count(positions, again).distinct == statistics.distinct);
}

TEST_CASE("A word with a lower identical row is never kept") {
    RowMatrixF vectors = test::anisotropicVectors(10, 3, 53);
    vectors.row(9) = vectors.row(2);
    const engine::SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<embedding::Row> words{9};
    const auto neighbours = engine::nearestNeighbours(space, words, 3).value().front();
    const auto series = engine::EllipticalSeries::create(space, std::vector{0.0}).value();
    WordOutputs counter(*series, 3);
    counter.setWord(9, neighbours);
    DrawSums sums(3);
    const std::vector<std::int32_t> outputs(3, static_cast<std::int32_t>(space.positionOf(9)));
    const WordStatistics statistics = counter.count(outputs, sums);
    CHECK(statistics.kept == 0);
    CHECK(statistics.near == 3);
    CHECK(statistics.distanceSum == 0.0);
}
