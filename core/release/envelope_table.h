#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/operating_system_stream.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::release {

using embedding::Row;

/// Draws outputs of TEM for one word, exactly: in a table much smaller than the vocabulary, each
/// tile of words has an upper bound of its weights, as a whole number. A tile is drawn by these
/// numbers, a word of it at random, and taken with the ratio of its weight, formed in float64, to
/// the bound; else all is drawn anew. Derivation: release.md
class EnvelopeTable {
public:
    /// tileBounds  of the word, as engine::TileBounds makes them
    EnvelopeTable(const engine::MetricSpace& space,
                  const mechanism::TruncatedExponential& mechanism, Row word,
                  const float* tileBounds);

    /// An output, by randomness of its own.
    [[nodiscard]] Row draw(const engine::MetricSpace& space,
                           const mechanism::TruncatedExponential& mechanism,
                           OperatingSystemStream& stream) const;

    /// Bytes that a table takes over a vocabulary.
    [[nodiscard]] static std::size_t bytesFor(const engine::MetricSpace& space);

private:
    Row m_word;
    /// Entry 0 stands for the word itself, whose weight is 1; entry 1 + t for tile t. Each holds
    /// the sum of the bounds up to it, in units of 1 / kUnit.
    std::vector<std::uint64_t> m_cumulated{};
};

}  // namespace epsilens::release
