#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/attack/attacker_view.h"
#include "core/attack/context_attack.h"
#include "core/attack/findings.h"
#include "core/attack/prior.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

inline constexpr const char* kPriorAttacker = "prior";

/// An attacker's success on each replaced token of a text, 1 or 0.
struct AttackerScores {
    std::string name{};  ///< "echo", "prior", "map", …: its path among the figures
    std::vector<float> successes{};
    bool competes = true;  ///< whether *best* may choose it
};

inline constexpr std::size_t kWorstWords = 20;
inline constexpr std::int64_t kCommonestWords = 100;

/// Findings of attackers that were tried on the same tokens: of each its success, and by the path
/// attackers.NAME the gain (success less that of the prior, paired), the success outside of the
/// commonest words, the mean over distinct words of the success on each, and the share of its words
/// that is guessed in the median document, in the one of twenty that fares worse than 95% of all,
/// and in the worst.
///
/// `best` and its gain are those of the competing attacker who does best, chosen on half of the
/// documents and scored on the other half, and the reverse, so that the choice does not flatter it;
/// a single document is both halves. The words, still without a spelling, are those that the
/// attacker guesses most often who is best over the whole text: by falling success, then tokens,
/// then row.
///
/// tokens     at least one
/// attackers  one of them kPriorAttacker, which gains are measured against
/// commonest  words left out of outsideCommonest
/// seed       of the halves of documents
[[nodiscard]] Findings summarizeAttackers(const ReplacedTokens& tokens,
                                          std::span<const AttackerScores> attackers,
                                          std::span<const Row> commonest, std::uint64_t seed);

/// A text that was released, as its attackers see it.
struct AttackedRelease {
    const Channel& channel;        ///< of the outputs
    std::span<const Row> outputs;  ///< one for each token; only those of replaced ones are read
    GuessRule rule = GuessRule::posterior;
    const Channel* vectors = nullptr;  ///< of the noisy vectors; null: without whoever sees them
};

/// Attacks a text by those who know mechanism, setting and vocabulary:
///   prior    guesses the commonest word whatever the output
///   echo     guesses the output
///   map      guesses argmax_w pi(w) C(w, u), or as the rule has it
///   context  guesses from the whole line (guessText)
///   noisy vector, noisy vector and context  the same from the noisy vectors: bounds rather than
///            attackers, who do not compete for the best
///
/// text   with a replaced token
/// prior  pi, V entries, > 0
/// chain  for context; null: without it
/// seed   of the halves of documents
/// Fails with cancelled.
[[nodiscard]] Result<Findings> guessWords(const AttackedText& text, const AttackedRelease& release,
                                          const VectorD& prior, const WordChain* chain,
                                          std::uint64_t seed, int threads = 0,
                                          const JobContext& job = {});

}  // namespace epsilens::attack
