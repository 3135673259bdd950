#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/document/stored_evaluation.h"
#include "core/experiment/estimate.h"

/// Pieces of the comparison of two runs.
namespace epsilens::document {

/// "ε 5, γ 31.91", for people: numbers have a few digits. A condition without a setting by its
/// name.
[[nodiscard]] std::string settingTitle(const StoredCondition& condition);
/// The title of both, once where they have the same name: "ε 5 | ε 7".
[[nodiscard]] std::string settingTitle(const StoredCondition& first, const StoredCondition& second);

/// Settings to compare: those with the same epsilon, lambda, gamma and beta; where none has a
/// partner but there are equally many, in their order.
///
/// remarks  takes a sentence for settings that are not in both
[[nodiscard]] std::vector<std::pair<const StoredCondition*, const StoredCondition*>> settingPairs(
    const std::vector<StoredCondition>& first, const std::vector<StoredCondition>& second,
    std::vector<std::string>& remarks);

/// first - second as if the two were independent: half widths of their intervals add as standard
/// errors do. Without an interval where one of them has none. The verdict stays open.
///
/// margin  of "no difference"
[[nodiscard]] experiment::Difference looseDifference(const experiment::Estimate& first,
                                                     const experiment::Estimate& second,
                                                     double margin);

}  // namespace epsilens::document
