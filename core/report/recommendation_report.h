#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/provenance.h"
#include "core/calibration/recommend.h"
#include "core/evaluation/figure_search.h"

namespace epsilens::report {

/// One sentence on what no setting meets: for the setting that comes closest, the limit that is
/// missed by most, and by how much. For a recommendation without a best setting.
[[nodiscard]] std::string shortfallSentence(const evaluation::LimitedRecommendation& found);

/// The recommendation as text for people: limits, a table of the settings, what holds each of them
/// down, the best.
[[nodiscard]] std::string recommendationText(const calibration::Provenance& provenance,
                                             const evaluation::LimitedRecommendation& found);

/// The schema "epsilens.recommendation/1", with the cells of "epsilens.calibration/1". Without a
/// best setting it holds an "error" as other failures do.
[[nodiscard]] nlohmann::ordered_json recommendationJson(
    const calibration::Provenance& provenance, const evaluation::LimitedRecommendation& found,
    int exitCodeWithoutBest);

}  // namespace epsilens::report
