#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/data_set.h"
#include "core/engine/search_space.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/figure_search.h"

namespace epsilens::evaluation {

/// The options of an evaluation that measures figures and nothing else: attackers who cannot be the
/// best are left out, unless `upper` is among the figures.
///
/// figures  at least one
[[nodiscard]] EvaluationOptions optionsFor(const std::vector<FigureName>& figures,
                                           EvaluationOptions options);

/// A measured share of an evaluation; nothing where it was not measured or does not exist.
///
/// condition  its place: kOriginal, kCeiling, kFloor, or kBaselines and the index of a cell
/// path       its place in the JSON: "classify.linear.accuracy", "reconstruct.gain"
[[nodiscard]] std::optional<FigureValue> figureAt(const EvaluationSummary& summary,
                                                  std::size_t condition, std::string_view path);

/// A figure of one setting of an evaluation that measured it; NaN where it does not exist.
///
/// cell  index of the setting
[[nodiscard]] FigureValue figureOf(const EvaluationSummary& summary, std::size_t cell,
                                   const FigureName& figure);

/// Success of an attacker who knows the prior alone, of an evaluation that attacked words; NaN
/// without.
[[nodiscard]] double priorSuccess(const EvaluationSummary& summary);

/// An evaluation that is wanted as a whole: fails with cancelled where it is partial.
[[nodiscard]] Result<EvaluationSummary> evaluateWhole(const engine::SearchSpace& space,
                                                      const corpus::DataSet& data,
                                                      const EvaluationOptions& options,
                                                      const JobContext& job);

/// Measures figures of one setting at epsilons: a reading for each. All settings and epsilons share
/// splits, draws and attackers' draws, and each figure has the value that it has beside any others.
///
/// options  of the evaluation; its tasks, classifiers and grid do not matter
/// figures  at least one
/// match    a value that an attacker shall have; null: none
/// Fails as Evaluation does; with invalidArgument for a match that the prior alone reaches, and for
/// `upper` where the mechanism has no noisy vector with a density.
[[nodiscard]] Result<std::vector<Reading>> readFigures(
    const engine::SearchSpace& space, const corpus::DataSet& data, const EvaluationOptions& options,
    const std::vector<FigureName>& figures, const mechanism::Mechanism& mechanism,
    std::span<const double> epsilons, const FigureLimit* match, const JobContext& job);

}  // namespace epsilens::evaluation
