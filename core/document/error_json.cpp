#include "core/document/error_json.h"

#include <nlohmann/json.hpp>

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

std::string errorJson(const Error& error, int exitCode) {
    ordered_json json;
    json["error"]["code"] = errorCodeName(error.code);
    json["error"]["exit"] = exitCode;
    json["error"]["message"] = error.message;
    json["error"]["file"] = error.file.empty() ? ordered_json(nullptr) : ordered_json(error.file);
    json["error"]["line"] = error.line > 0 ? ordered_json(error.line) : ordered_json(nullptr);
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace epsilens::document
