#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace epsilens::statistics {

/// Statistics that compare the outputs of words with each other. They ask that every word has draws
/// of its own: under shared draws the noise moves all words alike, so that they share too few
/// outputs.

/// An output of a word and how many of its draws gave it.
struct CountedOutput {
    std::int32_t position = 0;  ///< of a search space
    std::int32_t count = 0;

    bool operator==(const CountedOutput&) const = default;
};

/// The distinct outputs of one word, by rising position.
using CountedOutputs = std::vector<CountedOutput>;

/// positions  R outputs of a word, in any order
[[nodiscard]] CountedOutputs countOutputs(std::span<const std::int32_t> positions);

/// K_w: the least number of words that share an output of w, over the outputs of w; at least 1, for
/// w itself. Depends on R and on the words that are compared.
///
/// words  outputs of each word, at least one each
/// Source: Feyisetan, Diethe, Drake 2019, VI-B.
[[nodiscard]] std::vector<std::int32_t> sharedOutputs(std::span<const CountedOutputs> words);

/// The same for embeddings in the ball, where words farther out are more special: of the words that
/// share an output only those farther from the origin than the output count. 0 where none is.
///
/// radii            of each word, its distance from the origin
/// radiusOfOutput   of each position
[[nodiscard]] std::vector<std::int32_t> sharedOutputsFromOutside(
    std::span<const CountedOutputs> words, std::span<const double> radii,
    std::span<const double> radiusOfOutput);

/// g-deniability of one word.
struct WordDeniability {
    /// Size of the largest set of words that holds w and whose probabilities of an output all lie
    /// in one interval [x, g x], as a mean over outputs of w; at least 1. Nothing when no output
    /// was seen often enough.
    std::optional<double> size{};
    double share = 0.0;  ///< of the draws that gave an output seen often enough
};

/// Estimates g-deniability from counts, taking the share of draws for the probability; words that
/// never gave an output are in none of its sets.
///
/// words       outputs of each word, at least one each
/// odds        g >= 1, finite
/// leastCount  draws of w that must have given an output for it to count: below, the share says too
///             little
/// Source: as sharedOutputs, where g is called gamma.
[[nodiscard]] std::vector<WordDeniability> sampledDeniability(std::span<const CountedOutputs> words,
                                                              double odds,
                                                              std::int32_t leastCount = 10);

}  // namespace epsilens::statistics
