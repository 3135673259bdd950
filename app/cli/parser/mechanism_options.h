#pragma once

#include <vector>

#include "app/cli/parser/typed_options.h"
#include "core/mechanism/grid.h"

namespace epsilens::cli {

/// How several epsilons are written, for the help.
inline constexpr const char* kEpsilonLists =
    "list such as 1,5,10 or 1;5;10, or range such as 1..40x9 (9 values in logarithmic steps, 6 "
    "digits; falling from 40..1x9)";

/// Options that choose a mechanism and values of its parameters. Values of the grid stay where none
/// are typed, unless they belong to another mechanism than the one typed.
///
/// lambdas    where the mechanism has them and there are none; empty: they depend on the embedding
/// wholeAxis  whether the word "all" was typed for epsilon; null where it is not allowed
void addMechanism(TypedOptions& options, mechanism::Grid& grid, std::vector<double> lambdas,
                  bool* wholeAxis = nullptr);

/// Refuses more than one value of a parameter other than epsilon.
///
/// command  for the message
void takeOneValue(TypedOptions& options, const char* command, const mechanism::Grid& grid);

}  // namespace epsilens::cli
