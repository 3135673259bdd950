#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/prepared_embedding.h"
#include "core/experiment/attack/observations.h"
#include "core/experiment/attack/share.h"
#include "core/mechanism/form.h"

namespace epsilens::experiment {

using embedding::Row;

/// The noisy vectors of words, before the search for the nearest word: an attacker who sees them
/// sees more than any who sees outputs. Their densities given a word x are
///   elliptical             f(v|x) ∝ e^{-epsilon ||v - x||_RM}
///   hyperbolic, riemannian f(v|x) ∝ e^{-epsilon r},  r = d_H(v, x)
///   hyperbolic, eq7        f(v|x) ∝ e^{-epsilon r} cosh(r/2)^{-2m}
/// the last two with respect to hyperbolic volume, for Möbius placement; those of several releases
/// multiply. Each token has fresh noise of its own in every release, a function of the seed, the
/// release and its index. Derivation: sampled_reconstruction.md
class NoisyVectors : public Observations {
public:
    /// form     of a mechanism that adds noise
    /// epsilon  in the range of the mechanism
    /// words    true word of each token; tokens with kUnknownWord are never read
    /// releases K >= 1
    /// Fails with unsupported for additive placement, whose noise has no density where it is pulled
    /// back into the ball, and for a mechanism without noise; and as HyperbolicNoise::radiusAt.
    [[nodiscard]] static Result<std::unique_ptr<NoisyVectors>> create(
        const embedding::EmbeddingHandle& embedding, const mechanism::Form& form, double epsilon,
        std::span<const Row> words, std::uint64_t seed, int releases = 1, int threads = 0);
};

/// What an attacker who sees the noisy vectors of a word achieves, words distributed as the prior.
struct NoisyVectorSuccess {
    Share guesses{};  ///< how often he guesses the word
    std::optional<Share>
        list{};  ///< how often he tells whether it is listed; nothing without a list
};

struct NoisyVectorOptions {
    std::int64_t samples = 5000;    ///< n >= 2
    int releases = 1;               ///< K >= 1, so many vectors of a word
    std::span<const Row> listed{};  ///< words of a list, none twice; may be empty
    std::uint64_t seed = 1;
    int threads = 0;
};

/// The means over w ~ prior, v_1 ... v_K ~ f(.|w) of 1[argmax_x prior(x) f(v_1|x) ... f(v_K|x) = w]
/// and of whether Bayes' rule tells rightly if w is listed. What any attacker achieves on outputs
/// is at most their expectation, because outputs are functions of noisy vectors.
///
/// Fails as NoisyVectors::create, and with cancelled.
[[nodiscard]] Result<NoisyVectorSuccess> noisyVectorSuccess(
    const embedding::EmbeddingHandle& embedding, const mechanism::Form& form, double epsilon,
    const VectorD& prior, const NoisyVectorOptions& options = {}, const JobContext& job = {});

/// Words drawn from the prior, each by a number of its own.
[[nodiscard]] std::vector<Row> drawWords(const VectorD& prior, std::int64_t count,
                                         std::uint64_t seed);

}  // namespace epsilens::experiment
