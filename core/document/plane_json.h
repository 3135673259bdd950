#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/plane_picture.h"
#include "core/document/json_node.h"

namespace epsilens::document {

/// Keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json jsonPlane(const calibration::PlanePicture& picture);
/// Reads it back strictly; what is wrong becomes the problem of the document.
[[nodiscard]] calibration::PlanePicture readPlane(const JsonNode& node);

}  // namespace epsilens::document
