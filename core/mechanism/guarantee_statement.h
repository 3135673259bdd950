#pragma once

#include <string>

#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// The formula of what a mechanism promises, such as "ε·‖·‖_RM"; "none" where it promises nothing.
///
/// parameters  those that the mechanism has
/// metric      of the guarantee
[[nodiscard]] std::string guaranteeStatement(const Parameters& parameters, Metric metric);

}  // namespace epsilens::mechanism
