#pragma once

#include <string_view>

namespace epsilens::experiment {

/// What has to be said wherever ReplacementPolicies::onlyWords is set.
inline constexpr std::string_view kOnlyWordsNotice =
    "Only the words of a list are replaced: nothing else is protected, and which words were "
    "replaced is visible.";

}  // namespace epsilens::experiment
