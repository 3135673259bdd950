#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/run_description.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"

namespace epsilens::document {

inline constexpr std::string_view kCalibrationSchema = "epsilens.calibration/1";

/// A calibration with the circumstances it was made in. A calibration document holds all of it but
/// the values of single words, except the worst ones, and the critical epsilons.
struct CalibrationRecord {
    calibration::RunDescription run{};
    /// Never null. Shared, because values of single words may take a lot of memory.
    std::shared_ptr<const calibration::CalibrationSummary> summary =
        std::make_shared<const calibration::CalibrationSummary>();
};

/// A calibration as the document "epsilens.calibration/1": keys in a fixed order, numbers in the
/// shortest form that reads back as the same double, null for what does not exist.
[[nodiscard]] std::string calibrationJson(const calibration::RunDescription& run,
                                          const calibration::CalibrationSummary& summary);

/// The same, to be part of another document.
///
/// withWords  with the values of single words
[[nodiscard]] nlohmann::ordered_json calibrationDocument(
    const calibration::RunDescription& run, const calibration::CalibrationSummary& summary,
    Purpose purpose = Purpose::file, bool withWords = false);

/// Reads it strictly: every field has its type and lies in its range, the guarantees are as many as
/// the cells. Members that are not known are left alone, sentences follow from the rest. Fails with
/// badFile: the place in the document and what is allowed there; a newer schema is named.
[[nodiscard]] Result<CalibrationRecord> readCalibration(std::string_view json);

/// The same for a calibration inside another document, whose problem it becomes.
///
/// withWords  takes the values of single words too, where the document has them
[[nodiscard]] CalibrationRecord readCalibration(const JsonNode& document, bool withWords = false);

}  // namespace epsilens::document
