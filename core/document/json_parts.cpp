#include "core/document/json_parts.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace epsilens::document {

using nlohmann::ordered_json;

ordered_json jsonNumber(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json jsonNumber(const std::optional<double>& value) {
    return value ? jsonNumber(*value) : ordered_json(nullptr);
}

ordered_json jsonLambda(const mechanism::Mechanism& mechanism, double lambda) {
    return mechanism.hasLambda() ? jsonNumber(lambda) : ordered_json(nullptr);
}

std::string jsonText(const ordered_json& document) {
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string jsonLine(const ordered_json& document) {
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace epsilens::document
