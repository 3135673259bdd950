#pragma once

#include <optional>

#include "core/evaluation/evaluation.h"

/// Evaluations that are made in passes, each at further epsilons of one mechanism.
namespace epsilens::evaluation {

/// What two evaluations with the same options found at different epsilons, as one evaluation at all
/// of these does: each figure has the value that it has beside any others.
///
/// before  whole, of one mechanism, its epsilons rising
/// later   whole, at epsilons that `before` does not have
[[nodiscard]] EvaluationSummary together(EvaluationSummary before, const EvaluationSummary& later);

/// Where a further epsilon tells most: half-way, in ln epsilon with three digits, between the
/// neighbours that differ most in the usefulness retained or in the figure that an attack is judged
/// by. Nothing where none differ, or no such number lies between them.
///
/// summary  of one mechanism, its epsilons rising
[[nodiscard]] std::optional<double> steepest(const EvaluationSummary& summary);

}  // namespace epsilens::evaluation
