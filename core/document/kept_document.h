#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/document/report_document.h"

namespace epsilens::document {

/// What --from names: a calibration, a report or a session.
struct KeptDocument {
    Report report{};        ///< a calibration has no settings of a report
    bool isReport = false;  ///< that settings belong to it
    /// Where the embedding may lie, best first; empty when the document does not say.
    std::vector<std::string> embeddingPlaces{};
    JsonDocument json{};    ///< as it is stored; of a session what has its results
    std::string results{};  ///< member that has them, where it is not the whole
};

/// Reads any of them strictly. Fails with badFile, also for a session without results, and as
/// openJson; the error names the file.
[[nodiscard]] Result<KeptDocument> openDocument(const std::string& path,
                                                const std::stop_token& stop = {});

}  // namespace epsilens::document
