#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/report/report_model.h"

namespace epsilens::report {

/// A value that a repetition did not confirm.
struct Difference {
    std::string place{};   ///< "cells[3].nw.p95 (ε = 10, λ = 0.5)"
    std::string stored{};  ///< as written in the file; "absent" where it has none
    std::string found{};   ///< as found now
};

/// Every value in which two calibration or report documents differ, in the order of the first.
/// Version, build, seconds, threads, memory and where files lie may differ.
/// Fails with badFile when one is no document.
[[nodiscard]] Result<std::vector<Difference>> compareDocuments(std::string_view stored,
                                                               std::string_view found);

/// Why what a report says in words was not compared with what is said now, "written by version
/// 0.0.9" or "absent"; empty where it was compared, and of calibrations, which say nothing in
/// words. Fails as compareDocuments.
[[nodiscard]] Result<std::string> statementsLeftOut(std::string_view stored,
                                                    std::string_view found);

/// What a calibration or report document asks to be done again. Values that the repetition will
/// compare are not looked at.
struct Repetition {
    calibration::RunRequest request{};
    std::string sha256{};  ///< of the embedding it was made with
    std::string file{};    ///< name of the embedding
    std::optional<calibration::SelectionDescription> selection{};
    std::optional<document::ReportSettings> settings{};  ///< of a report
    bool hasPlane = false;                               ///< a picture of the space around a word
};

/// Fails with badFile for a damaged document and for one without a request, and with unsupported
/// for a partial calibration, which nothing can cut off at the same place again.
[[nodiscard]] Result<Repetition> readRepetition(std::string_view json);

/// Does it again on an embedding that is open already, and writes the document anew in the same
/// schema. Fails with badFile when the embedding is another one, and as calibration::calibrate.
///
/// threads  0: all
[[nodiscard]] Result<std::string> repeatRun(const Repetition& repetition,
                                            const engine::SearchSpace& space, int threads,
                                            const JobContext& job = {});

}  // namespace epsilens::report
