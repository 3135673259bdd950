#pragma once

#include "core/base/error.h"
#include "core/document/evaluation_comparison.h"
#include "core/document/json_document.h"

namespace epsilens::document {

/// Compares the statistics of settings that two calibrations share, as compareEvaluations does:
/// means over words of N_w, S_w and the entropies, with the interval of independent draws where
/// both have one, and kept, near, far, mean distance and mean cosine without. There are no
/// verdicts. Remarks say where words, draws or mechanisms differ, and where both runs share their
/// draws.
///
/// Fails with badFile for a document that is no calibration, and with invalidArgument where the two
/// have no setting to compare.
[[nodiscard]] Result<EvaluationComparison> compareCalibrations(const JsonDocument& first,
                                                               const JsonDocument& second);

/// The same for two evaluations or two calibrations. Fails as these, and with badFile for documents
/// of different kinds, or of another.
[[nodiscard]] Result<EvaluationComparison> compareResults(const JsonDocument& first,
                                                          const JsonDocument& second);

}  // namespace epsilens::document
