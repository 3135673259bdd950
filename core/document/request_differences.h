#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/evaluation_request.h"

namespace epsilens::document {

/// What two evaluations were asked for otherwise, a sentence for each option: "--unknown: mask in
/// the first run, drop in the second." Left out are where files lie, the data set, and the
/// settings, which stand beside each other anyway.
[[nodiscard]] std::vector<std::string> requestDifferences(const EvaluationRequest& first,
                                                          const EvaluationRequest& second);

/// Whether two evaluations replace the same words in the same way, but for the mechanism.
[[nodiscard]] bool hasSamePolicies(const EvaluationRequest& first, const EvaluationRequest& second);

}  // namespace epsilens::document
