#pragma once

#include <initializer_list>
#include <vector>

#include "core/calibration/limits.h"

namespace epsilens::test {

/// Limits of the texts that the command line takes, such as "nw.p95<=50%".
[[nodiscard]] inline std::vector<calibration::Limit> limitsOf(
    std::initializer_list<const char*> texts) {
    std::vector<calibration::Limit> limits;
    for (const char* text : texts) {
        limits.push_back(calibration::parseLimit(text).value());
    }
    return limits;
}

[[nodiscard]] inline bool meets(const std::vector<calibration::Limit>& limits,
                                const calibration::Cell& cell, int draws) {
    return calibration::allMet(calibration::checkLimits(limits, cell, draws).value());
}

}  // namespace epsilens::test
