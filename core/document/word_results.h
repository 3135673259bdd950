#pragma once

#include <cstdint>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/calibrate.h"
#include "core/document/json_node.h"

namespace epsilens::document {

/// Member of a calibration document that keeps them.
inline constexpr std::string_view kWordResults = "wordResults";

/// Adds the values of single words and the critical epsilons of a run to its calibration document,
/// as the member kWordResults: arrays of little-endian numbers in base64, in the order that
/// WordTable and CriticalTable have. Adds nothing for a run without values of single words.
void addWordResults(nlohmann::ordered_json& calibration,
                    const calibration::CalibrationSummary& summary);

/// Reads them into the summary of the same document; a document without them is left as it is.
/// The cells have to be those of a whole grid, and the numbers as many as words, cells and draws
/// ask for, each within its range.
///
/// vocabularySize  rows of the embedding of the run
void readWordResults(const document::JsonNode& calibration, std::int64_t vocabularySize,
                     calibration::CalibrationSummary& summary);

}  // namespace epsilens::document
