#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/experiment/data_set.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/match_search.h"

namespace epsilens::experiment {

/// A shape or radius of the mechanism, and where it has the value.
struct MatchedSetting {
    mechanism::Mechanism mechanism{};
    MatchFound found{};
    std::optional<std::size_t> cell{};  ///< of the evaluation; nothing without an epsilon
};

/// Settings compared where a figure has the same value, such as the success of an attacker.
struct Match {
    FigureLimit limit{};                     ///< as parseFigureMatch reads it
    std::vector<MatchedSetting> settings{};  ///< those of the grid, as far as they were reached
    std::size_t settingsAsked = 0;
};

/// An evaluation at matched settings.
struct MatchedEvaluation {
    Match match{};
    /// One cell for each setting with an epsilon, at its own; as an evaluation with one epsilon, so
    /// that its differences are those at the equal value. Nothing where no setting has one.
    std::optional<EvaluationSummary> summary{};
};

/// Says what is wrong with the epsilons between which a value shall be searched, or nothing.
[[nodiscard]] std::optional<Error> validateSpan(const std::vector<double>& epsilons);

/// For each shape and radius of the grid finds the epsilon at which a figure has a value, as
/// findMatch, and evaluates the tasks asked for there.
///
/// options  its epsilons are at least two: the search stays between the least and the largest
/// A cancelled run with a finished setting returns what was found, marked partial; with none it
/// fails with cancelled. Fails with invalidArgument where the prior alone exceeds the value.
[[nodiscard]] Result<MatchedEvaluation> evaluateMatched(const engine::SearchSpace& space,
                                                        const DataSet& data,
                                                        const EvaluationOptions& options,
                                                        const FigureLimit& limit,
                                                        const JobContext& job = {});

}  // namespace epsilens::experiment
