#pragma once

#include <string_view>

#include "app/cli/parser/arguments.h"
#include "core/base/error.h"

namespace epsilens::cli {

/// Checks that no output overwrites an input, and that no two outputs share a destination.
///
/// command    its name; files of other commands are ignored
/// arguments  complete
/// Fails with invalidArgument; the message names the option and the conflict.
[[nodiscard]] Result<void> checkPlaces(std::string_view command, const Arguments& arguments);

}  // namespace epsilens::cli
