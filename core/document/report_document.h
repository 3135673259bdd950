#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/calibration/findings.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"
#include "core/document/report_settings.h"
#include "core/document/stored_evaluation.h"
#include "core/engine/search_space.h"

namespace epsilens::document {

inline constexpr std::string_view kReportSchema = "epsilens.report/1";

/// A calibration with what the analyst added to it.
struct Report {
    ReportSettings settings{};
    calibration::Run run{};
    /// What was measured with the same mechanism on the same embedding: checkBelongs.
    std::vector<StoredEvaluation> evaluations{};
    /// What the chosen setting makes of the sentences of the settings, as examplesOfChoice.
    std::vector<calibration::Example> examples{};
    /// The family of the chosen setting at many epsilons, of the words and draws of the run, for
    /// drawings; documents do not have it. Null: drawings go through the settings of the run.
    std::shared_ptr<const calibration::CalibrationSummary> alongAxis{};
    /// What the window knows and the report leaves out; documents do not have it.
    struct Unsaid {
        /// Of the limits on figures, those that are being measured at the chosen setting.
        std::vector<experiment::FigureLimit> awaited{};
        /// A search found that all limits on figures are met there.
        bool areFound = false;
        bool pair = false;  ///< two words that may be confidential are not shown
    };
    Unsaid unsaid{};
};

/// What the report's limits and choice say about its run. Fails as calibration::findingsOf.
[[nodiscard]] Result<calibration::Findings> findingsOf(const Report& report);

/// What is known of a limit on a figure.
struct FigureFinding {
    experiment::FigureLimit limit{};
    /// Of several evaluations the one that meets it least; nothing where none measured it at the
    /// chosen setting.
    std::optional<experiment::FigureCheck> check{};
    bool isAwaited = false;  ///< being measured when the report was written
    /// Not measured in full, and met as far as a search for epsilon has measured.
    bool isFound = false;

    [[nodiscard]] bool met() const { return check && check->met(); }
    /// Whether what was measured gives no figure to judge.
    [[nodiscard]] bool isUndecided() const { return check && std::isnan(check->margin); }
};

/// The limits on figures held against what was measured at the chosen setting, in their order.
[[nodiscard]] std::vector<FigureFinding> figureFindings(const Report& report,
                                                        const calibration::Findings& findings);

/// What the chosen setting makes of some texts, with the seed of the run; nothing without a choice.
/// Fails as findingsOf and examplesOf.
[[nodiscard]] Result<std::vector<calibration::Example>> examplesOfChoice(
    const Report& report, std::span<const std::string> texts, const engine::SearchSpace& space,
    const JobContext& job = {});

/// A report as the document "epsilens.report/1": what the analyst added, what follows from it, the
/// whole calibration, and evaluations where there are any. Keys in a fixed order. Without the
/// sentences of the settings, of which the examples hold what is shown, and without what nobody
/// could measure again: shares of the analyst's texts, and how epsilon was looked for. Fails as
/// findingsOf.
[[nodiscard]] Result<nlohmann::ordered_json> reportDocument(const Report& report, Purpose purpose);
[[nodiscard]] Result<std::string> reportJson(const Report& report);

/// Reads it back strictly; findings have to follow from the rest. Fails with badFile.
[[nodiscard]] Result<Report> readReport(std::string_view json);
/// The same for a parsed document; problems are recorded there.
[[nodiscard]] Report readReport(const JsonNode& document);

}  // namespace epsilens::document
