#pragma once

#include <string>

#include "core/document/evaluation_comparison.h"

namespace epsilens::report {

/// Two evaluations or calibrations for a terminal: what differs between the runs, and the main
/// figures.
[[nodiscard]] std::string comparisonText(const document::EvaluationComparison& comparison);

/// A line for each figure of each condition.
[[nodiscard]] std::string comparisonCsv(const document::EvaluationComparison& comparison);

}  // namespace epsilens::report
