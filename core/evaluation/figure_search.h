#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/recommend.h"
#include "core/evaluation/evaluation_run.h"

/// Where along epsilon the figures of one setting keep within limits. Figures that are measured on
/// a text are not monotone in epsilon. Derivation: matching.md
namespace epsilens::evaluation {

/// Of each epsilon the figures that were asked for, in their order.
using Readings = std::vector<std::vector<FigureValue>>;

/// Measures a setting at epsilons, which rise.
///
/// figures  which of the limits' figures to measure, by their places, rising; not empty
using ReadFigures = std::function<Result<Readings>(
    std::span<const double> epsilons, std::span<const std::size_t> figures, const JobContext& job)>;

/// Steps of a scan in a factor of ten of epsilon - origin.
inline constexpr int kStepsPerDecade = 8;
/// How often five epsilons divide the step that holds the end of a search: to about 1%, which is
/// what three digits tell.
inline constexpr int kRefinements = 2;

/// The ends of a span and the epsilons between its even steps of ln(epsilon - origin), rising;
/// inner ones exceed the origin by a number of 3 digits. One epsilon where the ends are equal.
///
/// origin  what epsilon exceeds, below the span
[[nodiscard]] std::vector<double> scanEpsilons(const calibration::EpsilonSpan& span, double origin);

/// An epsilon at which figures were measured, held against the limits on them.
struct TriedEpsilon {
    double epsilon = 0.0;
    std::vector<FigureCheck> checks{};  ///< of the limits whose figures were measured
};

/// The largest epsilon of a setting within limits on figures. Without one its binding limit is
/// that missed by most in `checks`.
struct LimitsFound : calibration::LargestEpsilon<FigureCheck> {
    std::vector<FigureCheck> checks{};  ///< there, or at `closest`; empty where nothing was read
    /// There, with splits and draws of another seed, on which the search did not rest; where asked
    /// for.
    std::vector<FigureCheck> fresh{};
    /// The evaluation that these are of; nothing where it was not asked for.
    std::optional<EvaluationSummary> again{};
    double lookedTo = 0.0;  ///< above it nothing was looked at: a limit on risk had failed
    std::vector<TriedEpsilon> tried{};  ///< where a figure was measured, rising
};

/// The largest epsilon that meets all limits and below which every epsilon looked at meets those
/// on risk. Looks at the steps of a scan from the least epsilon on until a limit on risk fails, and
/// refines that step, unless limits on use are missed at both of its ends. The figures of use are
/// measured only where they can matter: from the largest epsilon within the limits on risk down to
/// the first that meets all limits; if use or `also` ends it, the step above is refined as well.
/// Progress moves with the passes in which some epsilons are measured, of the most that are left.
///
/// limits  at least one, or a match alone, which is met by no epsilon where it is never exceeded;
///         the figures read are theirs
/// also    other conditions that the epsilon must meet; null: none
/// Fails as read and also do.
[[nodiscard]] Result<LimitsFound> findWithinLimits(const calibration::EpsilonSpan& span,
                                                   double origin,
                                                   const std::vector<FigureLimit>& limits,
                                                   const std::function<Result<bool>(double)>& also,
                                                   const ReadFigures& read,
                                                   const JobContext& job = {});

/// The options of an evaluation that measures figures, at least one, and nothing else: attackers
/// who cannot be the best are left out, unless `upper` is among the figures.
[[nodiscard]] EvaluationOptions optionsFor(const std::vector<FigureName>& figures,
                                           EvaluationOptions options);

/// Measures figures of one setting at epsilons. All settings and epsilons share splits, draws and
/// attackers' draws, and each figure has the value that it has beside any others.
///
/// evaluation  its tasks, classifiers and grid do not matter; with classes if figures need them
/// figures     at least one
/// match       a value that an attacker shall have; null: none
/// Fails as Evaluation does; with invalidArgument for a match that the prior alone reaches, and for
/// `upper` where the mechanism has no noisy vector with a density.
[[nodiscard]] Result<Readings> readFigures(const Evaluation& evaluation,
                                           const std::vector<FigureName>& figures,
                                           const mechanism::Mechanism& mechanism,
                                           std::span<const double> epsilons,
                                           const FigureLimit* match, const JobContext& job);

/// Seeds ahead of the search's own, with which is measured again what it found.
inline constexpr std::uint64_t kSeedsAhead = 1;

/// A recommendation that limits on figures of evaluations may have narrowed.
struct LimitedRecommendation : calibration::Recommendation {
    std::vector<FigureLimit> figureLimits{};
    std::vector<LimitsFound> figures{};  ///< of the settings; empty without such limits
};

/// A figure that a search has read.
struct KeptReading {
    mechanism::Mechanism mechanism{};
    double epsilon = 0.0;
    FigureName figure{};
    FigureValue value{};
};

/// Limits on what calibrations measure and on figures of evaluations.
struct LimitedOptions {
    calibration::RecommendationOptions search{};  ///< without a narrowed search
    EvaluationOptions evaluation{};               ///< its tasks, classifiers and grid do not matter
    std::vector<FigureLimit> figures{};           ///< at least one
    /// What other searches of the same texts with the same seed, repeats and policies have read,
    /// so that it is not measured again; added to. Null: nothing.
    std::shared_ptr<std::vector<KeptReading>> kept{};
};

[[nodiscard]] Result<void> validate(const LimitedOptions& options, const corpus::DataSet& data,
                                    const embedding::PreparedEmbedding& embedding);

/// The largest epsilon of each setting within all limits: as findWithinLimits, up to the largest
/// within those on calibrations. What is found is also measured with the next seed. Fails and ends
/// as recommend and Evaluation do.
[[nodiscard]] Result<LimitedRecommendation> recommendWithin(const engine::SearchSpace& space,
                                                            const corpus::DataSet& data,
                                                            const LimitedOptions& options,
                                                            const JobContext& job = {});

}  // namespace epsilens::evaluation
