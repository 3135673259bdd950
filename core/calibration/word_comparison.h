#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Statistics that compare the outputs of different words. Every word needs its own draws: shared
/// draws move all words in the same way, so that they would share too few outputs.

/// An output of a word and the number of draws that gave it.
struct CountedOutput {
    engine::Row row = 0;
    std::int32_t count = 0;

    bool operator==(const CountedOutput&) const = default;
};

/// The distinct outputs of one word, by ascending row.
using CountedOutputs = std::vector<CountedOutput>;

/// K_w: the number of words that share an output of w, minimised over the outputs of w. At least 1,
/// because w itself counts. Depends on R and on the words that are compared.
///
/// words  outputs of each word, at least one each
/// Source: Feyisetan, Diethe, Drake 2019, VI-B.
[[nodiscard]] std::vector<std::int32_t> sharedOutputs(std::span<const CountedOutputs> words);

/// g-deniability of one word.
struct WordDeniability {
    /// Size of the largest set of words that contains w and whose probabilities of an output all
    /// lie in one interval [x, g x], averaged over the outputs of w; at least 1. Nothing if no
    /// output was seen often enough.
    std::optional<double> size{};
    double share = 0.0;  ///< share of the draws whose output was seen often enough
};

/// Estimates g-deniability from counts: the share of draws stands for the probability, and a word
/// that never gave an output is in none of its sets.
///
/// words  outputs of each word, at least one each
/// odds   g >= 1, finite
/// Source: as sharedOutputs, where g is called gamma.
[[nodiscard]] std::vector<WordDeniability> sampledDeniability(std::span<const CountedOutputs> words,
                                                              double odds);

/// Computed logarithms of equal probabilities differ by less than this; they come from float64 sums
/// over a vocabulary.
inline constexpr double kLogTolerance = 1e-12;

/// For each sorted value, the largest number of values in one interval of the given length that
/// contains it. For g-deniability the values are logarithms of probabilities, and the length is ln
/// g.
///
/// sorted  ascending
/// length  >= 0
[[nodiscard]] std::vector<std::int32_t> largestSets(std::span<const double> sorted, double length);

/// g-deniability of words under TEM, exact: for an output u, the size of the largest set of words
/// that contains w and whose probabilities p(u|.) all lie in one interval [x, g x]; averaged over
/// u ~ M(w). All words of the vocabulary count, so the result is between 1 and V.
///
/// words  rows to measure
/// odds   g >= 1, finite; logarithms of probabilities within 1e-12 count as equal
/// Returns one value per word. Distances are computed in float64, in O(V^2 (m + log V)) steps for
/// any number of words. Fails with cancelled.
/// Source: Feyisetan et al. 2019, section VI-B, where g is called gamma
[[nodiscard]] Result<std::vector<double>> exactDeniability(
    const engine::MetricSpace& space, const mechanism::TruncatedExponential& mechanism,
    std::span<const engine::Row> words, double odds, int threads = 0, const JobContext& job = {});

}  // namespace epsilens::calibration
