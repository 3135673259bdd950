#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/document/kept_evaluation.h"
#include "core/document/report_document.h"

namespace epsilens::document {

/// What is said of a session that lacks what is wanted of it.
inline constexpr std::string_view kNoResults =
    "the session has no results; calibrate and save it again";

/// Fails with unsupported for a partial calibration or evaluation, which nothing can cut off at the
/// same place again.
[[nodiscard]] Result<void> checkFinished(const char* what, bool isPartial);

/// An evaluation as evaluate wrote it.
struct RequestedEvaluation {
    /// Nothing for one of a report that is partial or does not say what it was asked for: it cannot
    /// be done again.
    std::optional<EvaluationRequest> request{};
    JsonDocument json{};
};

/// What --from names: a calibration, an evaluation, a report or a session.
struct KeptDocument {
    Report report{};        ///< a calibration has no settings of a report
    bool isReport = false;  ///< that settings belong to it
    /// Where the embedding may lie, best first; empty when the document does not say.
    std::vector<std::string> embeddingPlaces{};
    JsonDocument json{};    ///< as it is stored; of a session what has its results
    std::string results{};  ///< member that has them, where it is not the whole
    /// Of a session, with the names of their members.
    std::vector<std::pair<std::string, KeptEvaluation>> evaluations{};
    /// An evaluation itself, or those of a report in their order.
    std::vector<RequestedEvaluation> requested{};
    bool hasSearch = false;  ///< of a session: what a search found, which is not to be checked

    /// False for an evaluation, and for a session of which only evaluations were measured.
    [[nodiscard]] bool hasRun() const { return !report.run.summary->cells.empty(); }
};

/// Reads any of them strictly. Fails with badFile, also for a session in which nothing was measured
/// and for an evaluation that does not hold its request, with unsupported for a partial evaluation,
/// and as openJson; the error names the file.
[[nodiscard]] Result<KeptDocument> openDocument(const std::string& path,
                                                const std::stop_token& stop = {});

}  // namespace epsilens::document
