#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/data_set.h"
#include "core/document/comparison.h"
#include "core/document/evaluation_document.h"
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

    /// False for an evaluation, and for a session of which only evaluations were measured.
    [[nodiscard]] bool hasRun() const { return !report.run.summary->cells.empty(); }
};

/// Reads any of them strictly. Fails with badFile, also for a session in which nothing was measured
/// and for an evaluation that does not hold its request, and as openJson; the error names the file.
[[nodiscard]] Result<KeptDocument> openDocument(const std::string& path,
                                                const std::stop_token& stop = {});

/// Fails with unsupported for a partial calibration or evaluation, which nothing can cut off at the
/// same place again; of a report for the calibration only.
[[nodiscard]] Result<void> checkRepeatable(const KeptDocument& document);

/// Does the run of a document, which has one, again on an embedding that is already open. Returns a
/// document of the same schema, written to be compared. Fails as calibration::repeatRun.
///
/// threads  0: all
[[nodiscard]] Result<nlohmann::ordered_json> repeatRun(const KeptDocument& document,
                                                       const engine::SearchSpace& space,
                                                       int threads, const JobContext& job = {});

/// Fails with badFile, naming the path, where texts are not those of an evaluation.
[[nodiscard]] Result<void> checkTexts(const corpus::DataFingerprint& stored,
                                      const corpus::DataFingerprint& found,
                                      const std::string& path);

/// How far the numbers of a document may be from those of its repetition.
[[nodiscard]] Deviation deviationOf(const KeptDocument& document);

/// Every number, name and hash in which a document differs from its repetition, in the order of the
/// document: "cells[3].nw.p95". Integers have to be equal, other numbers up to
/// deviationOf(stored). What is said in words, version, build, seconds, threads, memory and where
/// files lie may differ. Fails with cancelled.
[[nodiscard]] Result<std::vector<Difference>> compareWith(const KeptDocument& stored,
                                                          const nlohmann::ordered_json& found);

/// The same for an evaluation. What the stored one does not have, as a session leaves it out, is
/// not asked for.
[[nodiscard]] Result<std::vector<Difference>> compareWith(const StoredEvaluation& stored,
                                                          EvaluationRecord again);

}  // namespace epsilens::document
