#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/calibration/limits.h"
#include "core/document/calibration_document.h"
#include "core/document/report_settings.h"

namespace epsilens::report {

/// What a report is made from; every writer starts here.
struct Report {
    document::ReportSettings settings{};
    document::CalibrationRecord record{};
};

/// What follows from a report's data.
struct Findings {
    /// Odds of one pair of words at the chosen setting.
    struct Odds {
        calibration::PairDistance pair{};
        /// Factor by which the odds change at most; nothing where nothing is guaranteed.
        std::optional<double> factor{};
    };

    /// Place of the chosen setting among the cells; nothing when none was chosen.
    std::optional<std::size_t> cell{};
    /// Places of the cells that meet all limits, chosen or not; none where no limits were set.
    std::vector<std::size_t> withinLimits{};
    std::vector<calibration::LimitCheck> limits{};  ///< of the chosen cell
    std::vector<Odds> odds{};
};

/// What was chosen is what the settings say: without a choice there, no cell is the chosen one.
///
/// Fails with invalidArgument when the chosen setting is not among the calibrated ones, and as
/// calibration::checkLimit.
[[nodiscard]] Result<Findings> findingsOf(const Report& report);

/// Says which parameter of the choice no calibrated setting has that agrees with the parameters
/// before it (epsilon, lambda, gamma), and which values there are. Of epsilon findingsOf tells.
///
/// Fails with invalidArgument.
[[nodiscard]] Result<void> checkChoice(const Report& report);

[[nodiscard]] document::Choice choiceOf(const calibration::Cell& cell);

/// What may be chosen for somebody who asked for that: the only cell there is, else the largest
/// epsilon that meets all limits, the first of equal ones. Nothing without limits or where no cell
/// meets them. Fails as calibration::checkLimit.
[[nodiscard]] Result<std::optional<document::Choice>> proposedChoice(const Report& report);

struct Paragraph {
    std::string text{};
    bool emphasised = false;
};
struct BulletList {
    std::vector<std::string> items{};
};
/// Names and values, a line each.
struct Facts {
    std::vector<std::pair<std::string, std::string>> items{};
};
struct Table {
    std::string caption{};
    std::vector<std::string> titles{};
    std::vector<std::vector<std::string>> rows{};  ///< as many fields as titles
};
/// A drawing with the numbers it was made from.
struct Figure {
    std::string caption{};
    std::string svg{};
    Table table{};
};
struct CodeLine {
    std::string text{};
};
/// Room for names, dates and signatures.
struct SignOffBox {
    std::vector<std::string> roles{};
};
using Block = std::variant<Paragraph, BulletList, Facts, Table, Figure, CodeLine, SignOffBox>;

struct Section {
    std::string key{};  ///< unique in the report, fit for an address within it
    std::string title{};
    std::vector<Block> blocks{};
};

/// A report for people, not yet in any format.
struct ReportContent {
    std::string title{};
    std::vector<Section> sections{};
};

/// The sections that the settings ask for. Fails as findingsOf.
[[nodiscard]] Result<ReportContent> composeReport(const Report& report);

}  // namespace epsilens::report
