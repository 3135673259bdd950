#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::attack {

using embedding::Row;

/// What an attacker believes about a word before seeing its output: a probability for each of the V
/// words, all > 0.

/// How often each word occurs. Rows outside [0, V), such as kUnknownWord, do not count.
///
/// words  V
[[nodiscard]] std::vector<std::int64_t> wordCounts(std::span<const Row> tokens, Row words);

/// pi(w) = (count(w) + 1) / (N + V), N the sum of the counts: every word is possible.
[[nodiscard]] VectorD smoothedPrior(std::span<const std::int64_t> counts);

[[nodiscard]] VectorD uniformPrior(Row words);

/// The words with the largest prior, largest first, ties to the lower row; all where there are
/// fewer than `count`.
[[nodiscard]] std::vector<Row> commonestWords(const VectorD& prior, std::int64_t count);

/// Words drawn from the prior, each by a number of its own.
[[nodiscard]] std::vector<Row> drawWords(const VectorD& prior, std::int64_t count,
                                         std::uint64_t seed);

}  // namespace epsilens::attack
