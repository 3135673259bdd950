#pragma once

#include <string>
#include <vector>

#include "core/calibration/calibrate.h"

namespace epsilens::test {

/// Vectors of a scenario, as the content of a file.
struct ScenarioFile {
    std::string name{};
    std::string content{};
};

/// A calibration that core, command line and window models must agree on.
struct CalibrationScenario {
    std::string name{};
    ScenarioFile file{};
    calibration::CalibrationOptions options{};
};

/// Between them: the mechanisms, one and several parameters, random words, all and a list, one
/// draw and many, one word, identical rows, more and fewer words than dimensions.
[[nodiscard]] std::vector<CalibrationScenario> calibrationScenarios();

/// A text that is sampled at one epsilon.
struct SampleScenario {
    std::string name{};
    ScenarioFile file{};
    std::string text{};
    mechanism::Mechanism mechanism{mechanism::Laplace{}};
    double lambda = 0.0;
    double epsilon = 1.0;
    int sentences = 5;
    std::uint64_t seed = 1;
};

[[nodiscard]] std::vector<SampleScenario> sampleScenarios();

}  // namespace epsilens::test
