#include "core/document/error_json.h"

#include <nlohmann/json.hpp>

#include "core/base/enum_names.h"
#include "core/document/json_parts.h"

namespace epsilens::document {

using nlohmann::ordered_json;

std::string_view errorCodeName(ErrorCode code) {
    constexpr EnumNames<ErrorCode, 8> kNames{{{"invalidArgument", ErrorCode::invalidArgument},
                                              {"badFile", ErrorCode::badFile},
                                              {"ioFailed", ErrorCode::ioFailed},
                                              {"unsupported", ErrorCode::unsupported},
                                              {"resourceLimit", ErrorCode::resourceLimit},
                                              {"cancelled", ErrorCode::cancelled},
                                              {"limitsNotMet", ErrorCode::limitsNotMet},
                                              {"internal", ErrorCode::internal}}};
    return nameIn(kNames, code);
}

ordered_json jsonError(const Error& error, int exitCode) {
    return {{"error",
             {{"code", errorCodeName(error.code)},
              {"exit", exitCode},
              {"message", error.message},
              {"file", error.file.empty() ? ordered_json(nullptr) : ordered_json(error.file)},
              {"line", error.line > 0 ? ordered_json(error.line) : ordered_json(nullptr)}}}};
}

std::string errorJson(const Error& error, int exitCode) {
    return jsonLine(jsonError(error, exitCode)) + "\n";
}

}  // namespace epsilens::document
