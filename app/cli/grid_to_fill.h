#pragma once

#include "core/mechanism/grid.h"

namespace epsilens::cli {

/// A grid without values. Those that nobody gives are derived later, some of them from the
/// embedding.
[[nodiscard]] inline mechanism::Grid gridToFill(const mechanism::Mechanism& mechanism = {}) {
    return {mechanism, {}, {}, {}, {}};
}

/// Only the values that have an effect.
[[nodiscard]] inline mechanism::Grid usedValues(mechanism::Grid grid) {
    if (!grid.mechanism.hasLambda()) {
        grid.lambdas.clear();
    }
    if (!grid.mechanism.hasRadius()) {
        grid.gammas.clear();
    }
    if (!grid.mechanism.hasRadius() || !grid.gammas.empty()) {
        grid.betas.clear();
    }
    return grid;
}

}  // namespace epsilens::cli
