#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/calibration/run.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"

namespace epsilens::document {

inline constexpr std::string_view kCalibrationSchema = "epsilens.calibration/1";

/// A calibration as the document "epsilens.calibration/1": keys in a fixed order, numbers in the
/// shortest form that reads back as the same double, null for what does not exist. It holds all of
/// the run but the values of single words and the critical epsilons.
[[nodiscard]] nlohmann::ordered_json calibrationDocument(const calibration::Run& run);

/// Reads it strictly: every field has its type and lies in its range, the guarantees are as many as
/// the cells. Members that are not known are left alone, sentences follow from the rest. Fails with
/// badFile: the place in the document and what is allowed there; a newer schema is named.
[[nodiscard]] Result<calibration::Run> readCalibration(std::string_view json);

/// The same for a calibration inside another document, whose problem it becomes.
[[nodiscard]] calibration::Run readCalibration(const JsonNode& document);

/// All that a run is asked for, on one line.
[[nodiscard]] std::string requestLine(const calibration::RunRequest& request);

}  // namespace epsilens::document
