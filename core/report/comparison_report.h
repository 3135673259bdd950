#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/measurement.h"
#include "core/calibration/provenance.h"
#include "core/evaluation/figure_limit.h"
#include "core/report/setting_reports.h"

namespace epsilens::report {

/// Figures of labelled texts that are measured at the epsilon of a row.
inline constexpr std::array kComparedFigures{
    evaluation::FigureName{evaluation::FigureName::Kind::accuracy},
    evaluation::FigureName{evaluation::FigureName::Kind::best}};

/// One mechanism where it keeps a given share of the words.
struct ComparisonRow {
    mechanism::Mechanism mechanism{};
    double kept = 0.0;  ///< as asked for
    calibration::ComparedSetting setting{};
    std::optional<double> pairDistance{};  ///< in the metric of the guarantee; nothing: no pair
    double pairLoss = 0.0;                 ///< largest log ratio of the pair's odds
    std::array<std::optional<evaluation::FigureValue>, kComparedFigures.size()> figures{};
};

/// Mechanisms beside each other.
struct ComparisonReport {
    /// A mechanism that has no row, at one share or at all, and why.
    struct Missing {
        mechanism::Mechanism mechanism{};
        std::string reason{};
    };

    calibration::Provenance provenance{};
    std::optional<std::array<std::string, 2>> pair{};
    std::string pairText{};  ///< "paris against london"; empty without a pair
    std::size_t words = 0;   ///< measured
    int draws = 0;
    std::vector<ComparisonRow> rows{};  ///< share by share, as the mechanisms were given
    std::vector<Missing> missing{};
};

/// The mechanisms at each share.
///
/// pair   different rows of the vocabulary, or nothing
[[nodiscard]] ComparisonReport describeComparison(
    const engine::SearchSpace& space, const std::vector<calibration::ComparedMechanism>& compared,
    const std::vector<double>& shares, const std::optional<RowPair>& pair);

/// The rows of a share, the best promise for the pair first; of nearly equal promises one that is
/// capped for all words. Without a pair in the order of the mechanisms.
[[nodiscard]] std::vector<const ComparisonRow*> rankedRows(const ComparisonReport& report,
                                                           double kept);

/// What the rows of a share say, in two sentences: who promises most for the pair, what the present
/// mechanism promises instead, and what that costs in near words. Where the present one promises
/// most, or has no row, the next that promises less stands for it. Empty without a pair or rows.
[[nodiscard]] std::string comparisonSentence(
    const ComparisonReport& report, double kept,
    const std::optional<mechanism::Mechanism>& present = {});

/// For a terminal.
[[nodiscard]] std::string comparisonText(const ComparisonReport& report);

}  // namespace epsilens::report
