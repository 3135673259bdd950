#pragma once

#include <optional>

#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::mechanism {

/// How far a promise to two words reaches: the epsilons at which seeing the output changes their
/// odds by at most a factor.
struct PromiseReach {
    double factor = 2.0;
    /// The largest such epsilon, rounded down; infinite when a cap holds the odds there for every
    /// epsilon; nothing when no epsilon does.
    std::optional<double> epsilon{};
};

/// The reach of a factor, found by bisection: the loss of a pair does not fall as epsilon grows.
///
/// distance  of the words in the metric of the guarantee, >= 0
/// factor    finite, > 1
[[nodiscard]] PromiseReach promiseReach(const PreparedMechanism& mechanism, double distance,
                                        double factor);

}  // namespace epsilens::mechanism
