#pragma once

#include <vector>

#include "core/embedding/vocabulary.h"

namespace epsilens::engine {

/// Output of one word under one draw as an exact function of t = 1/epsilon: outputs[0] holds for
/// t < breaks[0], outputs[i] for breaks[i-1] <= t < breaks[i].
struct DrawPath {
    std::vector<double> breaks{};           ///< in t = 1/epsilon, rising, > 0
    std::vector<embedding::Row> outputs{};  ///< one more than breaks
};

}  // namespace epsilens::engine
