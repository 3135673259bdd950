#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/limits.h"
#include "core/calibration/word_comparison.h"
#include "core/embedding/load.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/shared_data.h"
#include "tests/support/toy_embedding.h"

namespace epsilens::test {

[[nodiscard]] inline engine::SearchSpace spaceOf(RowMatrixF vectors) {
    return engine::SearchSpace(toyEmbedding(std::move(vectors)));
}

[[nodiscard]] inline engine::SearchSpace toySpace(Eigen::Index words, Eigen::Index dimensions,
                                                  std::uint64_t seed) {
    return spaceOf(anisotropicVectors(words, dimensions, seed));
}

/// Words in one dimension.
[[nodiscard]] inline engine::SearchSpace lineSpace(const std::vector<double>& places) {
    return spaceOf(Eigen::Map<const VectorD>(places.data(), std::ssize(places)).cast<float>());
}

[[nodiscard]] inline engine::MetricSpace metricSpaceOf(const embedding::EmbeddingHandle& embedding,
                                                       metric::Metric metric, double lambda = 0.0) {
    return engine::MetricSpace::create(
               metric::WordMetric::create(embedding, metric, lambda).value())
        .value();
}

/// A built-in embedding, ready to be searched.
[[nodiscard]] inline engine::SearchSpace sampleSpace(std::string_view name) {
    return engine::SearchSpace(embedding::openAndPrepare({.path = std::string(name)}).value());
}

/// The first cell of a run at one epsilon.
[[nodiscard]] inline calibration::Cell cellAt(const engine::SearchSpace& space,
                                              calibration::CalibrationOptions run, double epsilon) {
    run.grid.epsilons = {epsilon};
    return calibration::calibrate(space, run).value().cells.front();
}

inline constexpr const char* kGloveSubset = "data/glove-300d/glove.6B.300d.subset.txt.gz";

/// An embedding of the shared data, or null where they are absent.
[[nodiscard]] inline embedding::EmbeddingHandle openedShared(const char* path) {
    const auto file = sharedFile(path);
    return file ? embedding::openAndPrepare({.path = *file}).value() : nullptr;
}

/// Limits of the texts that the command line takes, such as "nw.p95<=50%".
[[nodiscard]] inline std::vector<calibration::Limit> limitsOf(
    std::initializer_list<const char*> texts) {
    std::vector<calibration::Limit> limits;
    for (const char* text : texts) {
        limits.push_back(calibration::parseLimit(text).value());
    }
    return limits;
}

[[nodiscard]] inline bool meets(const std::vector<calibration::Limit>& limits,
                                const calibration::Cell& cell, int draws) {
    return calibration::allMet(calibration::checkLimits(limits, cell, draws).value());
}

/// A word of a run with its outputs by draw, found by brute force.
struct BruteWord {
    Row word = 0;
    std::vector<Row> outputs{};
};
using BruteBlock = std::vector<BruteWord>;

/// Elliptical noise at epsilon = 1 of draws that a run takes.
[[nodiscard]] inline RowMatrixF unitNoise(const engine::SearchSpace& space, std::uint64_t seed,
                                          StreamPurpose purpose, std::size_t block, int draws,
                                          double lambda) {
    return mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(seed, purpose, static_cast<std::uint32_t>(block), 0, draws,
                             space.embedding().dimensions()),
        mechanism::EllipticalNoise::create(basisOf(space.handle()), lambda).value());
}

/// The words of each block of a run in their order: block g has the draws of stream g.
[[nodiscard]] inline std::vector<BruteBlock> bruteBlocks(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
    std::size_t blockSize, double epsilon, double lambda) {
    const RowMatrixF& vectors = space.embedding().vectors();
    const std::vector<Row> words =
        calibration::selectWords(options.words, vectors.rows(), options.seed).value();
    const std::vector<std::size_t> order =
        shuffledIndices(words.size(), {options.seed, StreamPurpose::blockPermutation});
    std::vector<BruteBlock> blocks;
    for (std::size_t first = 0; first < words.size(); first += blockSize) {
        const RowMatrixF z = unitNoise(space, options.seed, StreamPurpose::unitDraws, blocks.size(),
                                       options.draws, lambda);
        BruteBlock& block = blocks.emplace_back();
        for (std::size_t i = first; i < std::min(first + blockSize, words.size()); ++i) {
            BruteWord& word = block.emplace_back(BruteWord{words[order[i]], {}});
            for (int draw = 0; draw < options.draws; ++draw) {
                word.outputs.push_back(
                    bruteForceNearest(vectors, word.word, z.row(draw).transpose(), epsilon));
            }
        }
    }
    return blocks;
}

/// The distinct outputs of a word by rising row.
[[nodiscard]] inline calibration::CountedOutputs countedOutputs(std::vector<Row> outputs) {
    std::ranges::sort(outputs);
    calibration::CountedOutputs counted;
    for (const Row row : outputs) {
        if (counted.empty() || counted.back().row != row) {
            counted.push_back({row, 0});
        }
        ++counted.back().count;
    }
    return counted;
}

inline void requireEqual(const calibration::Summary& a, const calibration::Summary& b) {
    REQUIRE(a.ci95 == b.ci95);
    REQUIRE(a.sdTrue == b.sdTrue);
    for (const auto member :
         {&calibration::Summary::mean, &calibration::Summary::sd, &calibration::Summary::min,
          &calibration::Summary::p1, &calibration::Summary::p5, &calibration::Summary::p25,
          &calibration::Summary::p50, &calibration::Summary::p75, &calibration::Summary::p95,
          &calibration::Summary::p99, &calibration::Summary::max}) {
        REQUIRE(a.*member == b.*member);
    }
}

inline void requireEqual(const calibration::Cell& a, const calibration::Cell& b) {
    CAPTURE(a.epsilon, a.lambda);
    REQUIRE(a.epsilon == b.epsilon);
    REQUIRE(a.lambda == b.lambda);
    for (const auto summary :
         {&calibration::Cell::nw, &calibration::Cell::sw, &calibration::Cell::minEntropy,
          &calibration::Cell::shannonEntropy, &calibration::Cell::hartleyEntropy}) {
        requireEqual(a.*summary, b.*summary);
    }
    REQUIRE(a.kw.has_value() == b.kw.has_value());
    if (a.kw) {
        requireEqual(*a.kw, *b.kw);
    }
    for (const auto share : {&calibration::Cell::kept, &calibration::Cell::near,
                             &calibration::Cell::far, &calibration::Cell::meanDistance}) {
        REQUIRE(a.*share == b.*share);
    }
    REQUIRE(a.meanCosine == b.meanCosine);
    REQUIRE(a.coverage == b.coverage);
}

inline void requireEqual(const calibration::CalibrationSummary& a,
                         const calibration::CalibrationSummary& b) {
    REQUIRE(a.perWord.words == b.perWord.words);
    REQUIRE(a.perWord.nw == b.perWord.nw);
    REQUIRE(a.perWord.sw == b.perWord.sw);
    REQUIRE(a.perWord.criticalEpsilonMedian == b.perWord.criticalEpsilonMedian);
    REQUIRE(a.cells.size() == b.cells.size());
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
        requireEqual(a.cells[i], b.cells[i]);
    }
}

/// Finished words have the numbers of the whole run.
inline void requirePartOf(const calibration::CalibrationSummary& partial,
                          const calibration::CalibrationSummary& whole) {
    const calibration::WordTable& all = whole.perWord;
    const std::size_t cells = all.cells;
    for (std::size_t i = 0; i < partial.perWord.words.size(); ++i) {
        const auto found = std::ranges::find(all.words, partial.perWord.words[i]);
        REQUIRE(found != all.words.end());
        const auto place = static_cast<std::size_t>(found - all.words.begin());
        for (std::size_t cell = 0; cell < cells; ++cell) {
            REQUIRE(partial.perWord.nw[i * cells + cell] == all.nw[place * cells + cell]);
        }
    }
}

}  // namespace epsilens::test
