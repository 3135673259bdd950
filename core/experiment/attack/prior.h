#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::experiment {

using embedding::Row;

/// What an attacker believes about a word before seeing its output: a probability for each of the V
/// words, all > 0.

/// How often each word occurs. Rows outside [0, V), such as kUnknownWord, do not count.
///
/// words  V
[[nodiscard]] std::vector<std::int64_t> wordCounts(std::span<const Row> tokens, Row words);

/// pi(w) = (count(w) + 1) / (N + V), N the sum of the counts: every word is possible.
[[nodiscard]] VectorD smoothedPrior(std::span<const std::int64_t> counts);

/// What the words of another text are expected to be after Good and Turing: with probability n1 / N
/// one that this text lacks, each alike, else one of this text by its count; n1 words occur once.
/// smoothedPrior gives the words of a large vocabulary that the text lacks far more, V / (N + V).
/// smoothedPrior where N = n1, which tells nothing about frequencies.
/// Source: Good 1953, The population frequencies of species, equation 9.
[[nodiscard]] VectorD expectedWords(std::span<const std::int64_t> counts);

[[nodiscard]] VectorD uniformPrior(Row words);

/// The words with the largest prior, largest first, ties to the lower row; all where there are
/// fewer than `count`.
[[nodiscard]] std::vector<Row> commonestWords(const VectorD& prior, std::int64_t count);

/// max pi, how often a guess without any release succeeds: the prior vulnerability.
[[nodiscard]] double priorVulnerability(const VectorD& prior);

}  // namespace epsilens::experiment
