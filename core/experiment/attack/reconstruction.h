#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/share.h"

namespace epsilens::experiment {

inline constexpr std::string_view kPriorAttacker = "prior";

/// An attacker's success on each replaced token of a text: 1 or 0 where it made a guess, the
/// probability of success where that is known exactly.
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

/// The output of each token.
///
/// outputs  of every token of the text; those of tokens that are not replaced are never read
[[nodiscard]] std::vector<Row> outputsOf(const ReplacedTokens& tokens,
                                         std::span<const Row> outputs);

/// 1 where the guess is the token's word. guesses  one for each token
[[nodiscard]] std::vector<float> hits(const ReplacedTokens& tokens, std::span<const Row> guesses);
/// The values of the tokens' words. byWord  V values
[[nodiscard]] std::vector<float> valuesOf(const ReplacedTokens& tokens, const VectorD& byWord);

}  // namespace epsilens::experiment
