#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/word_steps.h"
#include "core/embedding/vocabulary.h"
#include "core/io/csv.h"

namespace epsilens::report {

inline constexpr std::string_view kStepsHeader = "lambda,statistic,epsilonFrom,epsilonTo,value\n";
inline constexpr std::string_view kWordStepsHeader =
    "word,row,lambda,statistic,epsilonFrom,epsilonTo,value\n";

/// Lines of every step of the statistics over the words (stepsOverWords) at one lambda: the value
/// holds above epsilonFrom, up to and with epsilonTo, which is empty where no larger epsilon
/// changes it. Appended to a text. Fails as stepsOverWords.
///
/// lambda  as it stands in the line; empty of a mechanism without one
[[nodiscard]] Result<void> appendSteps(std::string& text,
                                       std::span<const calibration::WordSteps> words, int draws,
                                       std::string_view lambda, const JobContext& job = {});

/// The same of every word (stepsOfWord), by rising rows. Fails with cancelled.
[[nodiscard]] Result<void> appendWordSteps(std::string& text,
                                           std::span<const calibration::WordSteps> words, int draws,
                                           std::string_view lambda,
                                           const embedding::Vocabulary& vocabulary,
                                           io::CsvWords spelling, const JobContext& job = {});

}  // namespace epsilens::report
