#pragma once

#include <optional>
#include <string>
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

/// The odds of a pair, rounded up: "… changes the odds of paris against london (d = 5.1) by at most
/// ×165".
[[nodiscard]] std::string oddsSentence(const Findings::Odds& odds);

/// What the analyst wrote, else "not stated".
[[nodiscard]] std::string statedOr(const std::string& text);

/// Section 1: the choice, its guarantee, what was measured, and the limits.
[[nodiscard]] std::vector<Block> summaryBlocks(const Report& report, const Findings& findings);
/// Section 4: formula, metric, parameters and the real guarantee of every cell.
[[nodiscard]] std::vector<Block> mechanismBlocks(const Report& report, const Findings& findings);
/// What no guarantee covers.
[[nodiscard]] BulletList notCoveredList();
/// Section 5: what the guarantee is about, and how losses add up.
[[nodiscard]] std::vector<Block> unitBlocks(const Report& report);
/// Section 8: of the chosen cell, else of all.
[[nodiscard]] std::vector<Block> worstWordBlocks(const Report& report, const Findings& findings);

/// Section 6: an overview and one table per statistic, a row per cell.
[[nodiscard]] std::vector<Block> resultBlocks(const Report& report);
/// Section 7: N_w, S_w and the shares against epsilon, and the space around a word.
[[nodiscard]] std::vector<Block> figureBlocks(const Report& report, const Findings& findings);
/// The space around a word at the chosen setting, else at the first; nothing without a picture.
[[nodiscard]] std::optional<Figure> planeFigure(const Report& report, const Findings& findings);

/// The command that repeats the run, with the file's name instead of its path.
[[nodiscard]] std::string repeatCommand(const calibration::Run& run);
/// SHA-256 of all that the run was asked for, but for where the file lies.
[[nodiscard]] std::string settingsHash(const calibration::RunRequest& request);

}  // namespace epsilens::report
