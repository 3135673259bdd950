#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/calibration/run.h"
#include "core/report/report_model.h"

/// Pieces from which texts about calibrated settings are put together.
namespace epsilens::report {

using calibration::CalibrationSummary;
using calibration::Cell;

/// A paragraph of resources/report/prose.txt.
///
/// name  one that stands there
[[nodiscard]] std::string prose(std::string_view name);
/// The same of several lines.
[[nodiscard]] std::vector<std::string> proseList(std::string_view name);

/// Whole numbers as they are, others with four significant digits; a dash for what is not finite.
[[nodiscard]] std::string shownNumber(double value);
[[nodiscard]] std::string shownNumber(const std::optional<double>& value);
/// The same, rounded up as an upper bound has to be and down as a lower one.
[[nodiscard]] std::string shownAtMost(double bound);
[[nodiscard]] std::string shownAtLeast(double bound);
/// "12.50"; a dash for what does not exist.
[[nodiscard]] std::string decimals(const std::optional<double>& value, int count);
/// "12.3%"
[[nodiscard]] std::string shownShare(double share);
/// The parts that are not empty.
[[nodiscard]] std::string joined(std::vector<std::string> parts, std::string_view between);
/// "1 record", "12,345 records"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one, std::string_view more);

/// The parameters of a cell that its mechanism has: "ε = 10, λ = 0.5".
[[nodiscard]] std::string settingText(const CalibrationSummary& summary, const Cell& cell);
/// The same without epsilon, and of radius and beta only what was set; empty for a mechanism that
/// has neither.
[[nodiscard]] std::string familyText(const CalibrationSummary& summary, const Cell& cell);
/// is  between a symbol and its value
[[nodiscard]] std::string familyText(const mechanism::Mechanism& mechanism,
                                     const calibration::CellSetting& setting, std::string_view is);
/// The same as columns and fields of a table, with more columns behind.
[[nodiscard]] std::vector<Column> settingColumns(const CalibrationSummary& summary,
                                                 const std::vector<Column>& more = {});
[[nodiscard]] std::vector<std::string> shownSettings(const CalibrationSummary& summary,
                                                     const Cell& cell);
/// The settings that differ from one of them in epsilon only, by rising epsilon.
[[nodiscard]] std::vector<const Cell*> familyOf(const std::vector<Cell>& cells, const Cell& one);

/// What becomes of the words that the embedding does not know, by a policy of the report's
/// settings: "left out".
[[nodiscard]] std::string unknownFate(const std::string& policy);
/// What the analyst wrote, else "not stated".
[[nodiscard]] std::string statedOr(const std::string& text);

/// "vectors.txt: 12,345 words × 300 dimensions, glove-text"
[[nodiscard]] std::string runTitle(const calibration::Provenance& provenance);
/// "Words chosen: sparsest:50, of those that occur in sms.csv, column text (5,574 records)." Empty
/// where they were not.
[[nodiscard]] std::string selectionSentence(
    const std::optional<calibration::SelectionDescription>& selection);
/// "PARTIAL: 60 of 500 words, …" of a run that was interrupted; empty of a whole one.
[[nodiscard]] std::string partialText(const CalibrationSummary& summary);
/// What a maximum or minimum over some of the words leaves open; empty when all words were measured
/// or no limit is on such a value.
[[nodiscard]] std::string extremeText(const calibration::Provenance& provenance,
                                      const CalibrationSummary& summary,
                                      const std::vector<calibration::Limit>& limits);
/// That equal epsilon is no equal guarantee where several lambdas stand side by side, a sentence;
/// else empty.
[[nodiscard]] std::string lambdaText(const CalibrationSummary& summary);
/// What a sampled count of zero says, where one of some cells has it: "A word kept in none of its
/// 100 draws is kept with probability ≤ 3% (95%)." Else empty.
[[nodiscard]] std::string noneText(const CalibrationSummary& summary, bool hasNone);

/// An interval, unless it has no spread: from words that all count the same it says nothing.
[[nodiscard]] calibration::Interval spreadInterval(const calibration::Summary& summary);

/// Settings that tables show: all, or of a run over the whole axis of epsilon a few.
struct ShownCells {
    std::vector<std::size_t> cells{};
    std::string note{};  ///< what is left out, a sentence; empty if nothing is
};
/// chosen  a cell that is not left out
[[nodiscard]] ShownCells shownCells(const calibration::Run& run,
                                    std::optional<std::size_t> chosen = {});

/// A report with what follows from it.
struct Judged {
    const Report& report;
    const Findings& findings;
    const CalibrationSummary& summary = *report.run.summary;
    /// Of the chosen setting; null without a choice.
    const Cell* cell = findings.cell ? &summary.cells[*findings.cell] : nullptr;
    const mechanism::Guarantee* guarantee =
        findings.cell ? &summary.guarantees[*findings.cell] : nullptr;
    ShownCells shown = shownCells(report.run, findings.cell);
};

/// The search on texts within the limits on these, for the chosen mechanism; null where there was
/// none.
[[nodiscard]] const document::KeptSearch* searchOf(const Judged& judged);

/// One or two pages in words.
[[nodiscard]] std::vector<Section> memoSections(const Judged& judged);
/// At most three pages of what they rest on.
[[nodiscard]] std::vector<Section> appendixSections(const Judged& judged);

/// The words, draws and seed of a run, a sentence.
[[nodiscard]] std::string runSentence(const CalibrationSummary& summary);
/// The guarantees of some cells, with notes on what their columns say.
[[nodiscard]] Section guaranteeSection(const CalibrationSummary& summary,
                                       const std::vector<std::size_t>& cells);
/// A row per cell.
///
/// cells  empty: all
[[nodiscard]] Table overviewTable(const CalibrationSummary& summary,
                                  std::vector<std::size_t> cells = {});
/// Mean and 95th percentile of N_w, mean and 5th percentile of S_w, kept, near and far.
[[nodiscard]] std::vector<Column> countColumns();
[[nodiscard]] std::vector<std::string> countFields(const CalibrationSummary& summary,
                                                   const Cell& cell);
/// Every statistic of a cell, a row each.
[[nodiscard]] Table statisticsTable(const CalibrationSummary& summary, const Cell& cell);
/// What its entropies are.
[[nodiscard]] std::string entropyText(const CalibrationSummary& summary);
/// What is one number for a whole cell.
[[nodiscard]] Facts cellFacts(const Cell& cell);

/// What evaluations measured at the chosen setting, or at the nearest one they have: sentences for
/// the memo, none where nothing was measured.
[[nodiscard]] std::string measuredUtility(const Judged& judged);
[[nodiscard]] std::string measuredAttacks(const Judged& judged);
/// Up to where any attacker may get, those who were not measured too: how many words he guesses one
/// by one where evaluations bound that, else what the guarantee says of the first pair of words.
[[nodiscard]] std::string attackBounds(const Judged& judged);
/// Whether an evaluation of the report before this one is of the same texts and another seed.
[[nodiscard]] bool isWithOtherDraws(const Report& report,
                                    const evaluation::EvaluationSummary& summary);
/// Whether another evaluation of the report asked the same of the same texts and draws, nearer to
/// the chosen setting.
[[nodiscard]] bool isOvertaken(const Judged& judged, const evaluation::EvaluationSummary& summary);

}  // namespace epsilens::report
