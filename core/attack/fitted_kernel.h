#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/attack/distance_kernel.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/vocabulary.h"
#include "core/engine/metric_space.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::attack {

/// Words and one output of each.
struct WordPairs {
    std::vector<Row> words{};
    std::vector<Row> outputs{};
};

/// Outputs of words under a mechanism that adds noise, each word under a draw of its own.
///
/// stream  of the draws: the same ones for every epsilon, others for another number
/// Returns outputs of each epsilon. Fails with cancelled, and as engine::createSeries.
[[nodiscard]] Result<std::vector<WordPairs>> drawPairs(const engine::SearchSpace& space,
                                                       const mechanism::Mechanism& mechanism,
                                                       std::span<const double> epsilons,
                                                       const std::vector<Row>& words,
                                                       std::uint64_t seed, std::uint32_t stream,
                                                       int threads = 0, const JobContext& job = {});

/// What an attacker guesses on an output.
enum class GuessRule {
    posterior,  ///< the word with the largest pi(w) C(w, u)
    output,     ///< the output itself
    commonest   ///< the word with the largest pi(w)
};

/// How often guesses are right that claim to be so with some probability: the isotonic regression
/// of right on claimed.
class Calibration {
public:
    /// claims  what guesses claim and whether they are right; at least one
    explicit Calibration(std::vector<std::pair<double, bool>> claims);

    [[nodiscard]] double operator()(double claimed) const;

private:
    struct Step {
        double from = 0.0;  ///< least claim
        double right = 0.0;
        double claims = 0.0;
    };
    std::vector<Step> m_steps{};  ///< by rising claim, right rising
};

/// A mechanism at one setting as an attacker knows it: how fast probabilities fall with distance.
/// Exact, or fitted to outputs by whoever can draw from a mechanism that adds noise.
struct AttackerKernel {
    DistanceKernel kernel;
    GuessRule rule = GuessRule::posterior;
    std::optional<Calibration> calibration{};  ///< nothing: the kernel is exact
};

inline constexpr std::int64_t kPairsOfSetting = 2000;

/// Fits a kernel C_r(w, u) = e^{-r d(w, u)} / Z_r(w) to each setting by the rate r that maximises
/// the mean of ln(pi(w) C_r(w, u) / sum_x pi(x) C_r(x, u)) over its pairs for fitting: the best of
/// 24 rates in log steps from .3 to 200 over the median distance of words, moved to the top of the
/// parabola through it and its neighbours. Where its guesses are right on the pairs for judging
/// less often than the output itself or the commonest word, that is guessed.
///
/// space    in the metric of the mechanism
/// fitting  of each setting pairs of words drawn from the prior, at least one
/// judging  likewise, independent of them
/// prior    pi, V entries, > 0
/// Fails with cancelled. Derivation: fitted_kernel.md
[[nodiscard]] Result<std::vector<AttackerKernel>> fitKernels(const engine::MetricSpace& space,
                                                             std::span<const WordPairs> fitting,
                                                             std::span<const WordPairs> judging,
                                                             const VectorD& prior, int threads = 0,
                                                             const JobContext& job = {});

}  // namespace epsilens::attack
