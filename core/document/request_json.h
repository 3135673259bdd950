#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/run_details.h"
#include "core/document/json_node.h"

namespace epsilens::document {

/// The parameters of a mechanism that are no values of a grid; those it does not have are written
/// with their defaults.
void addParameters(nlohmann::ordered_json& json, const mechanism::Mechanism& mechanism);
/// The mechanism of a node that has its name under "mechanism" and those parameters.
[[nodiscard]] mechanism::Mechanism readMechanism(const JsonNode& node);

/// Largest sizes a document may ask for; anything beyond is a damaged file.
inline constexpr std::size_t kMostGridValues = 10'000;
inline constexpr std::size_t kLongestPath = 4096;

/// A request as the member "repeat" of a calibration document, keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json jsonRequest(const calibration::RunRequest& request);
/// Reads it back; what is wrong becomes the problem of the document.
[[nodiscard]] calibration::RunRequest readRequest(const JsonNode& node);

/// The parts of it that say which vectors are loaded: path, input format, strictness, row limit,
/// word list.
void addLoad(nlohmann::ordered_json& json, const embedding::LoadOptions& load);
[[nodiscard]] embedding::LoadOptions readLoad(const JsonNode& node);

/// The parts of it that choose a mechanism, its grid, words, draws and seed.
void addOptions(nlohmann::ordered_json& json, const calibration::CalibrationOptions& options);
[[nodiscard]] calibration::CalibrationOptions readOptions(const JsonNode& node);

}  // namespace epsilens::document
