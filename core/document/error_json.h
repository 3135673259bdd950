#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"

namespace epsilens::document {

/// Word for a kind of failure in documents: "invalidArgument", "badFile", …
[[nodiscard]] std::string_view errorCodeName(ErrorCode code);

/// {"error":{"code","exit","message","file","line"}}; file and line are null where the error has
/// none.
[[nodiscard]] nlohmann::ordered_json jsonError(const Error& error, int exitCode);
/// The same on one line with a line end.
[[nodiscard]] std::string errorJson(const Error& error, int exitCode);

}  // namespace epsilens::document
