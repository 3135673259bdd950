#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/channel.h"
#include "core/experiment/attack/fitted_kernel.h"
#include "core/experiment/attack/share.h"
#include "core/experiment/attack/word_chain.h"

namespace epsilens::experiment {

inline constexpr std::string_view kPriorAttacker = "prior";

/// An attacker's success on each replaced token of a text, 1 or 0.
struct AttackerScores {
    std::string name{};  ///< "echo", "prior", "map", …
    std::vector<float> successes{};
    bool competes = true;  ///< whether *best* may choose it
};

struct AttackerSummary {
    std::string name{};
    Share success{};
    Share gain{};                ///< success - success of prior, paired
    Share outsideCommonest{};    ///< success on words that are not among the commonest
    double meanOverWords = 0.0;  ///< mean over distinct words of the success on each
    /// Share of its words that is guessed in the median document, in the one of twenty that fares
    /// worse than 95% of all, and in the worst.
    std::array<double, 3> documentQuantiles{};
};

/// The attacker that does best, chosen on half of the documents and scored on the other half, and
/// the reverse, so that the choice does not flatter it. A single document is both halves.
struct BestAttacker {
    Share success{};
    Share gain{};                         ///< what a release adds to the prior
    std::array<std::string, 2> chosen{};  ///< by the two halves
};

/// A word with the success of the attacker that is best over the whole text.
struct GuessedWord {
    Row word = 0;
    double success = 0.0;
    std::int64_t tokens = 0;
};

struct ReconstructionSummary {
    std::int64_t tokens = 0;
    std::int64_t documents = 0;
    std::vector<AttackerSummary> attackers{};  ///< in the order of the scores
    BestAttacker best{};
    std::vector<GuessedWord> worstWords{};  ///< by falling success, then tokens, then row
};

inline constexpr std::size_t kWorstWords = 20;
inline constexpr std::int64_t kCommonestWords = 100;

/// Summarises attackers that were tried on the same tokens.
///
/// tokens     at least one
/// attackers  one of them kPriorAttacker, which gains are measured against
/// commonest  words left out of outsideCommonest
/// seed       of the halves of documents
[[nodiscard]] ReconstructionSummary summarizeAttackers(const ReplacedTokens& tokens,
                                                       std::span<const AttackerScores> attackers,
                                                       std::span<const Row> commonest,
                                                       std::uint64_t seed);

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
/// prior  pi, V entries, > 0
/// chain  for context; null: without it
/// seed   of the halves of documents
/// Fails with invalidArgument when the text has no replaced token, and with cancelled.
[[nodiscard]] Result<ReconstructionSummary> guessWords(const AttackedText& text,
                                                       const AttackedRelease& release,
                                                       const VectorD& prior, const WordChain* chain,
                                                       std::uint64_t seed, int threads = 0,
                                                       const JobContext& job = {});

/// 1 where the guess is the token's word. guesses  one for each token
[[nodiscard]] std::vector<float> hits(const ReplacedTokens& tokens, std::span<const Row> guesses);

}  // namespace epsilens::experiment
