#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/provenance.h"
#include "core/document/evaluation_request.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::document {

inline constexpr const char* kEvaluationSchema = "epsilens.evaluate/1";

/// What the settings of an evaluation do to words of the vocabulary.
struct Survival {
    std::int64_t words = 0;
    int draws = 0;
    std::vector<calibration::Cell> cells{};  ///< those of the evaluation
};

/// An evaluation with the circumstances that it does not know itself.
struct EvaluationRecord {
    calibration::Provenance provenance{};
    evaluation::EvaluationSummary summary{};
    std::optional<Survival> survival{};          ///< nothing where it was not measured
    std::optional<EvaluationRequest> request{};  ///< by which it can be done again
};

/// As JSON. Every measured figure is an object with mean, ci95 (null where it cannot be had) and
/// repeats, its value in each repeat.
[[nodiscard]] nlohmann::ordered_json evaluationDocument(const EvaluationRecord& record);
[[nodiscard]] std::string evaluationJson(const EvaluationRecord& record);

inline constexpr const char* kStudyTextSchema = "epsilens.study-text/1";

/// What stands beside a file of study text: that it is no release, its settings, data and seed.
[[nodiscard]] std::string studyTextJson(const EvaluationRecord& record);

/// "withinMargin" and the like.
[[nodiscard]] std::string_view verdictName(evaluation::Verdict verdict);

}  // namespace epsilens::document
