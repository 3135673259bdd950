#pragma once

#include <functional>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::io {

/// Takes a text piece by piece; a failure ends the writing.
using TakeText = std::function<Result<void>(std::string_view)>;

}  // namespace epsilens::io
