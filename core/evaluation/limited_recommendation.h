#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/recommend.h"
#include "core/corpus/data_set.h"
#include "core/engine/search_space.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/figure_search.h"

namespace epsilens::evaluation {

/// Seeds ahead of the search's own, with which is measured again what it found.
inline constexpr std::uint64_t kSeedsAhead = 1;

/// What a recommendation found by limits on figures of an evaluation.
struct FigureLimits {
    std::vector<FigureLimit> limits{};
    std::vector<LimitsFound> settings{};  ///< as those of the recommendation
    int repeats = 0;                      ///< of the classification
};

struct LimitedRecommendation {
    calibration::Recommendation found{};
    FigureLimits figures{};
};

/// Limits on what calibrations measure and on figures of evaluations.
struct LimitedOptions {
    calibration::RecommendationOptions search{};  ///< without a narrowed search
    EvaluationOptions evaluation{};               ///< its tasks, classifiers and grid do not matter
    std::vector<FigureLimit> figures{};           ///< at least one
};

/// Says what is wrong with the options for these data, or nothing.
[[nodiscard]] std::optional<Error> validate(const LimitedOptions& options,
                                            const corpus::DataSet& data,
                                            const embedding::PreparedEmbedding& embedding);

/// The largest epsilon of each setting within all limits: as findWithinLimits, up to the largest
/// within those on calibrations. What is found is also measured with the next seed. Fails and ends
/// as recommend and Evaluation do.
[[nodiscard]] Result<LimitedRecommendation> recommendWithin(const engine::SearchSpace& space,
                                                            const corpus::DataSet& data,
                                                            const LimitedOptions& options,
                                                            const JobContext& job = {});

}  // namespace epsilens::evaluation
