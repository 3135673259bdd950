#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
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

/// An evaluation that is wanted as a whole: fails with cancelled where it is partial.
[[nodiscard]] Result<EvaluationSummary> runWhole(const Evaluation& evaluation,
                                                 const JobContext& job);

/// Measures figures of one setting at epsilons: the figures of each. All settings and epsilons
/// share splits, draws and attackers' draws, and each figure has the value that it has beside any
/// others.
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

}  // namespace epsilens::evaluation
