#pragma once

#include <string>

#include "core/experiment/findings.h"

namespace epsilens::experiment {

/// The figure that a task is judged by where a release tells nothing: a gain or an advantage of 0,
/// an AUC of 1/2, a share of 1 / authors. NaN where the results do not have it.
[[nodiscard]] double chanceOf(const AttackResults& results);

/// Says that the attack is told from chance on uniformly random words, where the 95% interval of
/// that figure there does not hold its chance; else empty. What the mechanism leaves as it is, such
/// as punctuation, may tell something whatever the setting; and one interval in twenty errs.
[[nodiscard]] std::string nullSentence(const AttackResults& results);

/// Says that the attack is not told from chance even on the original text, so that it proves
/// nothing about the settings; else empty.
[[nodiscard]] std::string originalSentence(const AttackResults& results);

}  // namespace epsilens::experiment
