#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::document {

/// Word for a kind of failure in documents: "invalidArgument", "badFile", …
[[nodiscard]] std::string_view errorCodeName(ErrorCode code);

/// {"error":{"code","exit","message","file","line"}} on one line with a line end; file and line are
/// null where the error has none.
[[nodiscard]] std::string errorJson(const Error& error, int exitCode);

}  // namespace epsilens::document
