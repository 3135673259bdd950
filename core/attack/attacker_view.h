#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/attack/prior.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/engine/search_space.h"
#include "core/mechanism/kinds.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::attack {

/// How weights fall with distance: e^{-min(rate d, cap)}.
struct Decay {
    double rate = 1.0;  ///< > 0, finite
    double cap = std::numeric_limits<double>::infinity();
};

/// A channel whose probabilities fall with distance, C(w, u) = e^{-min(rate d(w, u), cap)} / Z(w),
/// Z(w) the sum over all u: TEM and the exponential mechanism exactly, with rate epsilon / 2 and
/// cap epsilon gamma / 2, and a model of mechanisms that add noise. As d is symmetric, the
/// distances of an output to all words give its column.
struct DistanceKernel {
    /// Rows that Z of a model is estimated from.
    static constexpr Row kSummedWords = 2048;

    /// Kernels that share their distances.
    ///
    /// space   in the metric of the mechanism
    /// summed  words u that Z is formed from, at even steps of the rows: all of V give Z itself,
    ///         fewer, >= 2, the estimate 1 + (V - 1) times their mean without the word itself
    /// Fails with cancelled.
    [[nodiscard]] static Result<std::vector<DistanceKernel>> create(
        const engine::MetricSpace& space, std::span<const Decay> decays, Row summed,
        int threads = 0, const JobContext& job = {});

    /// ln C(x, u) of every word x, from the distances of u. distances, result  V entries
    void logColumn(const float* distances, float* result) const;

    Decay decay{};
    VectorF logTotals{};  ///< ln Z of every word
};

/// ln of likelihoods so far below the largest that they would turn denormal: no guess depends on
/// them.
inline constexpr float kNegligible = -80.0F;

/// The word with the largest of V scores, the lowest of equal ones.
struct BestGuess {
    Row word = 0;
    float score = 0.0F;
};
[[nodiscard]] BestGuess bestGuess(const VectorF& scores);

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
        double from = 0.0;   ///< least claim
        double right = 0.0;  ///< of the claims
        double claims = 0.0;

        [[nodiscard]] double mean() const { return right / claims; }
    };
    std::vector<Step> m_steps{};  ///< by rising claim, means rising
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

/// The word that an attacker guesses behind an output.
struct WordGuess {
    Row word = 0;
    /// That he is right: given the output where `isExact`, else of all guesses that claim as much.
    double probability = 0.0;
    bool isExact = false;
};

/// A mechanism at some epsilons in the eyes of an attacker who knows mechanism, setting and
/// vocabulary and expects words by a prior: exact probabilities of TEM and the exponential
/// mechanism, fitted kernels of those that add noise. Derivation: fitted_kernel.md
struct AttackerView {
    /// prior  pi, V entries, > 0, sum 1
    /// Fails with cancelled, and as Mechanism::on and drawPairs.
    [[nodiscard]] static Result<AttackerView> learn(const engine::SearchSpace& space,
                                                    const mechanism::Mechanism& mechanism,
                                                    std::span<const double> epsilons,
                                                    const VectorD& prior, std::uint64_t seed,
                                                    int threads = 0, const JobContext& job = {});

    /// The guess behind each of some outputs, at the setting with this index. Fails with cancelled.
    [[nodiscard]] Result<std::vector<WordGuess>> guesses(std::size_t setting,
                                                         std::span<const Row> outputs,
                                                         int threads = 0,
                                                         const JobContext& job = {}) const;

    mechanism::Form form;
    engine::MetricSpace space;
    VectorF logPrior;
    Row commonest = 0;
    std::vector<AttackerKernel> settings{};  ///< one for each epsilon
};

}  // namespace epsilens::attack
