#pragma once

#include <string_view>

#include "app/cli/command_line.h"
#include "core/base/error.h"

namespace epsilens::cli {

/// That files which are read stay as they are, and that each output has a place of its own.
///
/// command    its name; arguments of other commands are not looked at where they name files
/// arguments  as typed, completed by the session
/// Fails with invalidArgument: the option, and what is in the way.
[[nodiscard]] Result<void> checkPlaces(std::string_view command, const Arguments& arguments);

}  // namespace epsilens::cli
