#include "core/document/json_parts.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/enum_names.h"

namespace epsilens::document {

using nlohmann::ordered_json;

ordered_json jsonNumber(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json jsonNumber(const std::optional<double>& value) {
    return value ? jsonNumber(*value) : ordered_json(nullptr);
}

ordered_json jsonOrNull(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json jsonLambda(const mechanism::Mechanism& mechanism, double lambda) {
    return mechanism.hasLambda() ? jsonNumber(lambda) : ordered_json(nullptr);
}

ordered_json jsonError(const Error& error, int exitCode) {
    constexpr EnumNames<ErrorCode, 8> kNames{{{"invalidArgument", ErrorCode::invalidArgument},
                                              {"badFile", ErrorCode::badFile},
                                              {"ioFailed", ErrorCode::ioFailed},
                                              {"unsupported", ErrorCode::unsupported},
                                              {"resourceLimit", ErrorCode::resourceLimit},
                                              {"cancelled", ErrorCode::cancelled},
                                              {"limitsNotMet", ErrorCode::limitsNotMet},
                                              {"internal", ErrorCode::internal}}};
    return {{"error",
             {{"code", nameIn(kNames, error.code)},
              {"exit", exitCode},
              {"message", error.message},
              {"file", jsonOrNull(error.file)},
              {"line", error.line > 0 ? ordered_json(error.line) : ordered_json(nullptr)}}}};
}

std::string errorJson(const Error& error, int exitCode) {
    return jsonLine(jsonError(error, exitCode)) + "\n";
}

std::string jsonText(const ordered_json& document) {
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string jsonLine(const ordered_json& document) {
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace epsilens::document
