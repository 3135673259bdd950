#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/document/report_document.h"

namespace epsilens::document {

/// What is said of a session that lacks what is wanted of it.
inline constexpr std::string_view kNoResults =
    "the session has no results; calibrate and save it again";

/// An evaluation of a document.
struct StoredEvaluation {
    std::string place{};  ///< before the places of what differs: "", "evaluations[1]."
    EvaluationRecord record{};
    JsonDocument json{};  ///< as it is stored
};

/// What --from names: a calibration, an evaluation, a report or a session.
struct KeptDocument {
    Report report{};        ///< a calibration has no settings of a report
    bool isReport = false;  ///< that settings belong to it
    /// Where the embedding may lie, best first; empty when the document does not say.
    std::vector<std::string> embeddingPlaces{};
    JsonDocument json{};    ///< as it is stored; of a session what has its results
    std::string results{};  ///< member that has them, where it is not the whole
    /// An evaluation itself, those of a report in their order, or those of a session.
    std::vector<StoredEvaluation> evaluations{};
    bool hasSearch = false;  ///< of a session: what a search found, which is not to be checked

    /// False for an evaluation, and for a session of which only evaluations were measured.
    [[nodiscard]] bool hasRun() const { return !report.run.summary->cells.empty(); }
};

/// Reads any of them strictly. Fails with badFile, also for a session in which nothing was measured
/// and for an evaluation that does not hold its request, and as openJson; the error names the file.
[[nodiscard]] Result<KeptDocument> openDocument(const std::string& path,
                                                const std::stop_token& stop = {});

}  // namespace epsilens::document
