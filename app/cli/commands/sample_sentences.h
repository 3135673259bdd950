#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "core/report/sample_report.h"

namespace epsilens::cli {

/// Fills the distinct known words of the text and returns the number of each among them.
[[nodiscard]] std::unordered_map<embedding::Row, std::size_t> numberDistinctWords(
    report::SampleReport& report);

/// Sentence k gives word i of the text draw (k + i) mod R, so that its words are independent.
///
/// numbers  as numberDistinctWords returns them
/// output   of a distinct word, by its number, and a draw
[[nodiscard]] std::vector<embedding::Row> sampledSentence(
    const report::SampleReport& report,
    const std::unordered_map<embedding::Row, std::size_t>& numbers, int sentence,
    const std::function<embedding::Row(std::size_t, int)>& output);

}  // namespace epsilens::cli
