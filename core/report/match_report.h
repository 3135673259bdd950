#pragma once

#include <string>
#include <vector>

#include "core/experiment/limited_recommendation.h"
#include "core/experiment/matched_evaluation.h"

/// Where figures of evaluations have a value or meet limits, for people.
namespace epsilens::report {

/// "Settings at equal attack.best=20%": what was searched for, and for each setting the epsilon,
/// what its interval leaves open, and how far was looked.
[[nodiscard]] std::vector<std::string> matchSentences(const experiment::Match& match);

/// That no setting has the value, and what each of them has nearest to it. In one sentence.
[[nodiscard]] std::string noMatchSentence(const experiment::Match& match);

/// How one setting meets the limits on figures, what holds it down, and how far was looked; empty
/// where nothing was read.
[[nodiscard]] std::vector<std::string> figureSentences(const experiment::LimitsFound& found);

}  // namespace epsilens::report
