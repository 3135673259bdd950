#pragma once

#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/evaluate.h"
#include "app/cli/commands/measured_words.h"
#include "app/cli/grid_to_fill.h"
#include "core/calibration/recommend.h"
#include "core/experiment/figure_limit.h"

namespace epsilens::cli {

/// Options of `recommend`.
struct RecommendOptions {
    /// Without its words. No limits: the default ones.
    calibration::RecommendationOptions search{.calibration = {.grid = gridToFill()}};
    MeasuredWords measured{};
    std::vector<experiment::FigureLimit> figures{};  ///< limits on figures of an evaluation
    EvaluateOptions evaluation{};                    ///< that measures them
};

void addRecommend(TypedOptions& options, GeneralOptions& general, RecommendOptions& recommend);

/// Finds the largest epsilon within limits for each lambda, gamma or beta, and the best of these
/// settings. If none meets the limits, the result has the problem limitsNotMet. An interrupted
/// search returns the settings that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runRecommend(const RecommendOptions& options,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
