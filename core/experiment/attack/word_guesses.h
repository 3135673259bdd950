#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::experiment {

using embedding::Row;

/// The word that an attacker guesses behind an output.
struct WordGuess {
    Row word = 0;
    /// That he is right: given the output where it is exact, else of all guesses that are as sure.
    double probability = 0.0;
    std::optional<std::array<double, 2>> ci95{};  ///< nothing where the probability is exact
};

struct WordGuessOptions {
    /// How often a mechanism that adds noise is tried, about; half of it evenly over the words, the
    /// rest by their prior.
    std::int64_t searches = 1'200'000;
    std::uint64_t seed = 1;
    int threads = 0;
};

/// What an attacker guesses behind each output of a setting, who knows mechanism, setting and
/// vocabulary, expects words by a prior, and sees one output at a time. Derivation: word_guesses.md
class WordGuesses {
public:
    /// Exact sums for a mechanism whose probabilities are known. Others are tried on every word:
    /// half of the draws choose the guess, the other half say how often guesses as sure are right.
    ///
    /// prior  V entries, > 0, sum 1
    /// Fails with cancelled, or as Mechanism::on.
    [[nodiscard]] static Result<WordGuesses> learn(const engine::SearchSpace& space,
                                                   const mechanism::Setting& setting,
                                                   const VectorD& prior,
                                                   const WordGuessOptions& options = {},
                                                   const JobContext& job = {});
    /// What learn computes, in products of two numbers: of V words of m dimensions.
    [[nodiscard]] static double products(const mechanism::Mechanism& mechanism, std::int64_t words,
                                         std::int64_t dimensions,
                                         const WordGuessOptions& options = {});

    /// Nothing for an output that came up too rarely to tell.
    [[nodiscard]] const std::optional<WordGuess>& on(Row output) const {
        return m_guesses[static_cast<std::size_t>(output)];
    }

private:
    explicit WordGuesses(std::vector<std::optional<WordGuess>> guesses)
        : m_guesses(std::move(guesses)) {}

    std::vector<std::optional<WordGuess>> m_guesses;  ///< V
};

}  // namespace epsilens::experiment
