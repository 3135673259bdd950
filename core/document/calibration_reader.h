#pragma once

#include <memory>
#include <string_view>

#include "core/calibration/calibrate.h"
#include "core/calibration/run_description.h"
#include "core/document/json_node.h"

namespace epsilens::document {

/// A calibration with the circumstances it was made in. A calibration document holds all of it but
/// the values of single words, except the worst ones, and the critical epsilons.
struct CalibrationRecord {
    calibration::RunDescription run{};
    /// Never null. Shared, because values of single words may take a lot of memory.
    std::shared_ptr<const calibration::CalibrationSummary> summary =
        std::make_shared<const calibration::CalibrationSummary>();
};

/// Reads "epsilens.calibration/1" strictly: every field has its type and lies in its range, the
/// guarantees are as many as the cells. Members that are not known are left alone. Fails with
/// badFile: the place in the document and what is allowed there; a newer schema is named.
[[nodiscard]] Result<CalibrationRecord> readCalibration(std::string_view json);

/// The same for a calibration inside another document, whose problem it becomes.
[[nodiscard]] CalibrationRecord readCalibration(const JsonNode& document);

/// How the words were chosen, from the member "run" of a calibration document.
[[nodiscard]] std::optional<calibration::SelectionDescription> findSelection(const JsonNode& run);

/// Checks the member "schema" of a document; complains about another one, and by name about a newer
/// one.
void checkSchema(const JsonNode& document, std::string_view schema);

}  // namespace epsilens::document
