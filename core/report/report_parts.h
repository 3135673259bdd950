#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report_model.h"

/// Pieces from which composeReport puts a report together.
namespace epsilens::report {

/// Whole numbers as they are, others with four significant digits; a dash for what is not finite.
[[nodiscard]] std::string shownNumber(double value);
[[nodiscard]] std::string shownNumber(const std::optional<double>& value);
/// The same, rounded up as an upper bound has to be and down as a lower one.
[[nodiscard]] std::string shownAtMost(double bound);
[[nodiscard]] std::string shownAtLeast(double bound);
/// "12.3%"
[[nodiscard]] std::string shownShare(double share);

/// The parameters of a cell that its mechanism has: "ε = 10, λ = 0.5".
[[nodiscard]] std::string settingText(const calibration::CalibrationSummary& summary,
                                      const calibration::Cell& cell);
/// The same as titles and fields of a table.
[[nodiscard]] std::vector<std::string> settingTitles(
    const calibration::CalibrationSummary& summary);
[[nodiscard]] std::vector<std::string> shownSettings(const calibration::CalibrationSummary& summary,
                                                     const calibration::Cell& cell);

/// The name of a mechanism with a capital, as names have it in running text.
[[nodiscard]] std::string mechanismTitle(std::string_view name);

/// What the analyst wrote, else "not stated".
[[nodiscard]] std::string statedOr(const std::string& text);

/// One or two pages in words.
[[nodiscard]] std::vector<Section> memoSections(const Report& report, const Findings& findings);
/// The whole memo in one line, for who reads no further, then what the choice rests on: what the
/// limits protect against, and what is promised. Where a setting was chosen.
[[nodiscard]] std::vector<Block> verdictBlocks(const Report& report, const Findings& findings);
/// "Limit 2": its place among the limits, by which tables and drawings name it.
[[nodiscard]] std::string limitName(const std::vector<calibration::Limit>& limits,
                                    const calibration::Limit& limit);
/// Each limit in words, with its verdict where a setting was chosen, and what it leaves open.
[[nodiscard]] std::vector<Block> limitBlocks(const Report& report, const Findings& findings);

/// Formula, metric, parameters and the real guarantee of every cell.
[[nodiscard]] std::vector<Block> mechanismBlocks(const Report& report, const Findings& findings);
/// What the guarantee is about, and how losses add up.
[[nodiscard]] std::vector<Block> unitBlocks(const Report& report);
/// The guarantee of every cell, with notes on what its columns say.
[[nodiscard]] std::vector<Block> guaranteeBlocks(const calibration::CalibrationSummary& summary);
/// Words that were counted again, of every cell; empty without.
[[nodiscard]] std::vector<Block> rerunBlocks(const calibration::CalibrationSummary& summary);
/// Of the chosen cell, else of all.
[[nodiscard]] std::vector<Block> worstWordBlocks(const Report& report, const Findings& findings);

/// What was run on which words, and a row per cell.
[[nodiscard]] std::vector<Block> overviewBlocks(const calibration::Run& run);
/// The same, and every statistic of the chosen cell, else of all.
[[nodiscard]] std::vector<Block> resultBlocks(const Report& report, const Findings& findings);
/// N_w and S_w against epsilon, without a choice the shares as well.
[[nodiscard]] std::vector<Block> figureBlocks(const Report& report, const Findings& findings);

/// Whether an evaluation of the report before this one is of the same texts and another seed.
[[nodiscard]] bool isWithOtherDraws(const Report& report,
                                    const document::StoredEvaluation& evaluation);
/// What evaluations measured at a setting, or at the nearest one they have: sentences for the memo,
/// none where nothing was measured.
[[nodiscard]] std::vector<std::string> measuredUtility(const Report& report,
                                                       const calibration::Cell& cell);
[[nodiscard]] std::vector<std::string> measuredAttacks(const Report& report,
                                                       const calibration::Cell& cell);
/// Up to where any attacker may get, those who were not measured too: how many words he guesses one
/// by one where evaluations bound that, else what the guarantee says of the first pair of words.
///
/// cell  index of the chosen setting
[[nodiscard]] std::vector<std::string> attackBounds(const Report& report, const Findings& findings,
                                                    std::size_t cell);
/// Everything the evaluations measured, with floor, ceiling and what attackers know.
[[nodiscard]] std::vector<Block> utilityBlocks(const Report& report, const Findings& findings);

}  // namespace epsilens::report
