#pragma once

#include <string>

#include "core/calibration/provenance.h"
#include "core/calibration/recommend.h"
#include "core/evaluation/figure_search.h"

namespace epsilens::report {

/// The value to be matched, on words or on texts; empty where there are limits.
[[nodiscard]] std::string matchOf(const evaluation::LimitedRecommendation& found);

/// One sentence on what no setting meets: for the setting that comes closest, the limit that is
/// missed by most, and by how much. For a recommendation without a best setting.
[[nodiscard]] std::string shortfallSentence(const evaluation::LimitedRecommendation& found);

/// The recommendation as text for people: limits, a table of the settings, what holds each of them
/// down, the best.
[[nodiscard]] std::string recommendationText(const calibration::Provenance& provenance,
                                             const evaluation::LimitedRecommendation& found);

}  // namespace epsilens::report
