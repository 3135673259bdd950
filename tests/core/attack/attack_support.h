#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "core/attack/findings.h"
#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"
#include "tests/support/statistical.h"

namespace epsilens::test {

[[nodiscard]] inline double valueOf(const attack::Findings& findings, const std::string& path) {
    return attack::figureAt(findings, path)->value;
}

/// 1 / rank, in an order of its own.
[[nodiscard]] inline VectorD zipfPrior(embedding::Row words) {
    VectorD prior(words);
    for (embedding::Row word = 0; word < words; ++word) {
        prior[(word * 7 + 3) % words] = 1.0 / (1.0 + word);
    }
    return prior / prior.sum();
}

/// What a share of so many samples is off by at most, but for a false alarm.
[[nodiscard]] inline double tolerance(std::int64_t samples) {
    return normalCritical(kFalseAlarmRate) * 0.5 / std::sqrt(static_cast<double>(samples));
}

}  // namespace epsilens::test
