#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/exact_channel.h"

namespace epsilens::experiment {

/// The word with the largest of V scores, the lowest of equal ones.
struct BestGuess {
    Row word = kUnknownWord;
    float score = 0.0F;
};
[[nodiscard]] BestGuess bestGuess(std::span<const float> scores);

/// What the attacker guesses on each output of one setting, and what follows from the channel
/// alone. Derivation: reconstruction.md
struct GuessTable {
    std::vector<Row> guesses{};           ///< of each output, with the largest posterior
    std::vector<double> joint{};          ///< pi(x) C(x, u) of each guess
    double posteriorVulnerability = 0.0;  ///< sum_u max_w pi(w) C(w, u)
};

/// The tables of all settings of a channel: V columns.
///
/// prior  V entries, > 0
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<GuessTable>> guessTables(const ExactChannel& channel,
                                                          const VectorD& prior, int threads = 0,
                                                          const JobContext& job = {});

/// Exact probability of each word that the guess on its output is the word: the sum of C(w, u) over
/// those u, V entries.
[[nodiscard]] VectorD guessedShares(const GuessTable& table, const VectorD& prior);

}  // namespace epsilens::experiment
