#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/data_set.h"
#include "core/document/comparison.h"
#include "core/document/evaluation_document.h"
#include "core/document/kept_document.h"

namespace epsilens::document {

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
/// document: "cells[3].nw.p95 (ε = 10, λ = 0.5)". Integers have to be equal, other numbers up to
/// deviationOf(stored). What is said in words, version, build, seconds, threads, memory and where
/// files lie may differ. Fails with cancelled.
[[nodiscard]] Result<std::vector<Difference>> compareWith(const KeptDocument& stored,
                                                          const nlohmann::ordered_json& found);

/// The same for an evaluation. What the stored one does not have, as a session leaves it out, is
/// not asked for.
[[nodiscard]] Result<std::vector<Difference>> compareWith(const StoredEvaluation& stored,
                                                          EvaluationRecord again);

}  // namespace epsilens::document
