#pragma once

#include <cstdint>
#include <span>

#include "core/attack/context_attack.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/share.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"

namespace epsilens::attack {

using embedding::Row;

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
