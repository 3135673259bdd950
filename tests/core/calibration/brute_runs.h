#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/random_stream.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/word_comparison.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

namespace epsilens::test {

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
    std::sort(outputs.begin(), outputs.end());
    calibration::CountedOutputs counted;
    for (const Row row : outputs) {
        if (counted.empty() || counted.back().row != row) {
            counted.push_back({row, 0});
        }
        ++counted.back().count;
    }
    return counted;
}

}  // namespace epsilens::test
