#pragma once

#include <string>

#include "core/calibration/provenance.h"
#include "core/experiment/evaluation.h"

namespace epsilens::document {

inline constexpr const char* kEvaluationSchema = "epsilens.evaluate/1";

/// An evaluation with the circumstances that it does not know itself.
struct EvaluationRecord {
    calibration::Provenance provenance{};
    experiment::EvaluationSummary summary{};
};

/// As JSON. Every measured figure is an object with mean, ci95 (null where it cannot be had) and
/// repeats, its value in each repeat.
[[nodiscard]] std::string evaluationJson(const EvaluationRecord& record);

/// "withinMargin" and the like.
[[nodiscard]] std::string_view verdictName(experiment::Verdict verdict);

}  // namespace epsilens::document
