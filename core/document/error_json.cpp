#include "core/document/error_json.h"

#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {

using nlohmann::ordered_json;

std::string_view errorCodeName(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalidArgument:
            return "invalidArgument";
        case ErrorCode::badFile:
            return "badFile";
        case ErrorCode::ioFailed:
            return "ioFailed";
        case ErrorCode::unsupported:
            return "unsupported";
        case ErrorCode::resourceLimit:
            return "resourceLimit";
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::limitsNotMet:
            return "limitsNotMet";
        case ErrorCode::internal:
            break;
    }
    return "internal";
}

ordered_json jsonError(const Error& error, int exitCode) {
    ordered_json json;
    json["error"]["code"] = errorCodeName(error.code);
    json["error"]["exit"] = exitCode;
    json["error"]["message"] = error.message;
    json["error"]["file"] = error.file.empty() ? ordered_json(nullptr) : ordered_json(error.file);
    json["error"]["line"] = error.line > 0 ? ordered_json(error.line) : ordered_json(nullptr);
    return json;
}

std::string errorJson(const Error& error, int exitCode) {
    return jsonLine(jsonError(error, exitCode)) + "\n";
}

}  // namespace epsilens::document
