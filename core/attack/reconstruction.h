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
#include "core/corpus/share.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/kinds.h"

namespace epsilens::attack {

/// An attacker's success on each replaced token of a text, 1 or 0.
struct AttackerScores {
    std::string name{};  ///< "echo", "prior", "map", …: its path among the figures
    std::vector<float> successes{};
    bool competes = true;  ///< whether *best* may choose it
};

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
/// attackers  the first is the prior, which gains are measured against
/// commonest  words left out of outsideCommonest
/// seed       of the halves of documents
[[nodiscard]] Findings summarizeAttackers(const ReplacedTokens& tokens,
                                          std::span<const AttackerScores> attackers,
                                          std::span<const Row> commonest, std::uint64_t seed);

/// A text that was released, as its attackers see it.
struct AttackedRelease {
    const Channel* channel;        ///< of the outputs; null: they are the words themselves
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

/// The noisy vectors of words, before the search for the nearest word: an attacker who sees them
/// sees more than any who sees outputs. Their densities given a word x are
///   elliptical             f(v|x) ∝ e^{-epsilon ||v - x||_RM}
///   hyperbolic, riemannian f(v|x) ∝ e^{-epsilon r},  r = d_H(v, x)
///   hyperbolic, eq7        f(v|x) ∝ e^{-epsilon r} cosh(r/2)^{-2m}
/// the last two with respect to hyperbolic volume. Each token has fresh noise
/// of its own, a function of the seed and its index. Derivation: fitted_kernel.md
///
/// form     of a mechanism that adds noise
/// epsilon  in the range of the mechanism
/// words    true word of each token; tokens with kUnknownWord are never read
/// Fails as HyperbolicNoise::radiusAt.
[[nodiscard]] Result<Channel> noisyVectors(const embedding::EmbeddingHandle& embedding,
                                           const mechanism::Form& form, double epsilon,
                                           std::span<const Row> words, std::uint64_t seed,
                                           int threads = 0);

/// How often an attacker who sees the noisy vector of a word guesses it: the mean over w ~ prior,
/// v ~ f(.|w) of 1[argmax_x prior(x) f(v|x) = w]. What any attacker achieves on outputs is at most
/// its expectation, because outputs are functions of noisy vectors.
///
/// samples  >= 2
/// Fails as noisyVectors, and with cancelled.
[[nodiscard]] Result<corpus::Measured> noisyVectorSuccess(
    const embedding::EmbeddingHandle& embedding, const mechanism::Form& form, double epsilon,
    const VectorD& prior, std::uint64_t seed, int threads = 0, const JobContext& job = {},
    std::int64_t samples = 5000);

}  // namespace epsilens::attack
