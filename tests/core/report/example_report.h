#pragma once

#include "core/report/report_model.h"

namespace epsilens::test {

/// The runs of example_calibration.h as a calibration file would hold them: with a request, worst
/// words "worst0", "worst1" and the pair paris, london.
[[nodiscard]] calibration::Run exampleRun(calibration::CalibrationSummary summary);

/// exampleMahalanobis with every text filled in, two limits, the choice epsilon 10 at lambda 0.5,
/// and a density profile.
[[nodiscard]] document::Report exampleReport();

}  // namespace epsilens::test
