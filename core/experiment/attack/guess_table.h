#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/exact_channel.h"

namespace epsilens::experiment {

/// How many guesses an attacker may name where several count.
inline constexpr std::size_t kTopGuesses = 10;

/// Words by falling score, ties to the lower row; kTopGuesses of them where there are as many.
struct RankedGuesses {
    std::vector<Row> rows{};
    std::vector<float> scores{};
};
/// The best of V scores.
[[nodiscard]] RankedGuesses bestGuesses(std::span<const float> scores);

/// What the attacker guesses on each output of one setting, and what follows from the channel
/// alone. Derivation: reconstruction.md
struct GuessTable {
    std::size_t width = 0;                  ///< guesses on each output, min(kTopGuesses, V)
    std::vector<Row> guesses{};             ///< V x width, by falling posterior, ties to lower rows
    std::vector<double> joint{};            ///< pi(x) C(x, u) of each guess
    double posteriorVulnerability = 0.0;    ///< sum_u max_w pi(w) C(w, u)
    double capacity = 0.0;                  ///< sum_u max_w C(w, u)

    [[nodiscard]] Row guess(Row output) const {
        return guesses[static_cast<std::size_t>(output) * width];
    }
    /// The guesses on an output, best first.
    [[nodiscard]] std::span<const Row> top(Row output) const {
        return std::span(guesses).subspan(static_cast<std::size_t>(output) * width, width);
    }
};

/// The tables of all settings of a channel: V columns.
///
/// prior  V entries, > 0
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<GuessTable>> guessTables(const ExactChannel& channel,
                                                          const VectorD& prior,
                                                          int threads = 0,
                                                          const JobContext& job = {});

/// Exact probability of each word that one of the first `guesses` guesses on its output is the
/// word: the sum of C(w, u) over those u, V entries.
///
/// guesses  in [1, table.width]
[[nodiscard]] VectorD guessedShares(const GuessTable& table, const VectorD& prior,
                                    std::size_t guesses);

}  // namespace epsilens::experiment
