#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/limits.h"
#include "core/calibration/measurement.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// What makes one setting better than another that meets the same limits.
enum class Objective {
    distance,  ///< least E d(w, M(w))
    cosine,    ///< largest E cos(w, M(w))
    changed    ///< least share of words changed
};

/// Names of --objective: "distance", "cosine", "changed".
[[nodiscard]] std::string_view objectiveName(Objective objective);
/// Fails with invalidArgument; the message lists the names.
[[nodiscard]] Result<Objective> parseObjective(std::string_view name);

/// Narrows what was found for a setting by limits on what no calibration measures. Called for each
/// setting in their order, also for those without an epsilon.
///
/// measured  the setting
/// within    met by the limits of the calibration; without any, the largest epsilon searched
using NarrowedSearch = std::function<Result<EpsilonFound>(
    const Measurement& measured, const EpsilonFound& within, const JobContext& job)>;

struct RecommendationOptions {
    /// The settings (lambdas, gammas or betas), words and draws. Its epsilons are none, or at least
    /// two: then the search stays between the least and the largest of them.
    CalibrationOptions calibration{};
    std::vector<Limit> limits{};  ///< at least one, unless `narrow` has others; all are to be met
    Objective objective = Objective::distance;
    /// The one limit is a value that all settings shall have (parseMatch): a setting that meets it
    /// as far as the search goes does not reach the value, and has no epsilon.
    bool matches = false;
    NarrowedSearch narrow{};  ///< null: none
    /// Processes that share the words of measurements and calibrations; null: this one alone.
    /// `narrow` then has the same result in all of them.
    Crew* crew = nullptr;
};

/// Limits where the analyst sets none: the 95th percentile of N_w at most 50%, the 5th percentile
/// of S_w at least 20.
[[nodiscard]] std::vector<Limit> defaultLimits();

/// Whether one of the limits is on how often the worst word is kept, which a second count of the
/// worst words tells better (rerunWorstWords).
[[nodiscard]] bool holdMaximum(const std::vector<Limit>& limits);

/// The largest epsilon of one setting that meets all limits; without one its binding limit is that
/// missed by most in the cell.
struct SettingRecommendation : EpsilonFound {
    Cell cell{};  ///< calibrated there, or without one where the limits are missed by least
    mechanism::Guarantee guarantee{};  ///< at the epsilon of the cell
    std::vector<LimitCheck> checks{};  ///< of the cell, in the order of the limits
    /// The same under draws of another seed; nothing without an epsilon and where cells are exact.
    std::optional<Cell> freshCell{};
    std::vector<LimitCheck> freshChecks{};
};

struct Recommendation {
    std::vector<Limit> limits{};
    Objective objective = Objective::distance;
    bool matches = false;                           ///< see RecommendationOptions
    std::vector<SettingRecommendation> settings{};  ///< lambda-major, as the cells of a run
    std::optional<std::size_t> best{};              ///< of the settings with an epsilon
    /// The run that made the cells: its cells and guarantees are those of the settings, it has no
    /// values of words.
    CalibrationSummary run{};
    std::uint64_t freshSeed = 0;
    std::size_t settingsAsked = 0;
    bool partial = false;  ///< cancelled before all settings were done
    double seconds = 0.0;
};

/// The rows that the options measure, rising. Fails where this embedding does not admit them.
[[nodiscard]] Result<std::vector<Row>> validate(const RecommendationOptions& options,
                                                const embedding::PreparedEmbedding& embedding);

/// Finds the largest epsilon within the limits for each setting, as Measurement::findLargest; where
/// a measurement is not exact, calibrations around what it finds decide. A cancelled search with at
/// least one finished setting returns a partial recommendation; with none it fails with cancelled.
/// Source: Xu et al. 2020, section 6 (grid search for the parameters).
[[nodiscard]] Result<Recommendation> recommend(const engine::SearchSpace& space,
                                               const RecommendationOptions& options,
                                               const JobContext& job = {});

}  // namespace epsilens::calibration
