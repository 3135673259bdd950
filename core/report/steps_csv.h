#pragma once

#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/word_steps.h"
#include "core/embedding/vocabulary.h"
#include "core/io/csv.h"
#include "core/io/take_text.h"

namespace epsilens::report {

inline constexpr std::string_view kStepsHeader = "lambda,statistic,epsilonFrom,epsilonTo,value\n";
inline constexpr std::string_view kWordStepsHeader =
    "word,row,lambda,statistic,epsilonFrom,epsilonTo,value\n";

/// Lines of every step of the statistics over the words (stepsOverWords) at one lambda: the value
/// holds above epsilonFrom, up to and with epsilonTo, which is empty where no larger epsilon
/// changes it. The lines of many words exceed the memory, so they are handed on in pieces of at
/// most some MiB. Fails as stepsOverWords and take do.
///
/// lambda  as it stands in the line; empty of a mechanism without one
[[nodiscard]] Result<void> writeSteps(const io::TakeText& take,
                                      std::span<const calibration::WordSteps> words, int draws,
                                      std::string_view lambda, const JobContext& job = {});

/// The same of every word (stepsOfWord), by rising rows. Fails as take does, and with cancelled.
[[nodiscard]] Result<void> writeWordSteps(const io::TakeText& take,
                                          std::span<const calibration::WordSteps> words, int draws,
                                          std::string_view lambda,
                                          const embedding::Vocabulary& vocabulary,
                                          io::CsvWords spelling, const JobContext& job = {});

}  // namespace epsilens::report
