#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/report/report_model.h"

namespace epsilens::report {

/// What --from names: a calibration, a report or a session.
struct KeptDocument {
    std::string json{};  ///< a calibration or report document; of a session its results
    /// Where the embedding may lie, best first; empty when the document does not say.
    std::vector<std::string> embeddingPlaces{};
};

/// Opens any of them for doing the run again. Fails with badFile, also for a session without
/// results; the error names the file.
[[nodiscard]] Result<KeptDocument> openDocument(const std::string& path,
                                                const std::stop_token& stop = {});

/// Reads any of them strictly as a report: a calibration has no settings of a report yet. Fails as
/// openDocument.
[[nodiscard]] Result<report::Report> openReport(const std::string& path,
                                                const std::stop_token& stop = {});

}  // namespace epsilens::report
