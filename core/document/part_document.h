#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/provenance.h"
#include "core/calibration/run.h"
#include "core/calibration/run_part.h"

namespace epsilens::document {

inline constexpr std::string_view kPartSchema = "epsilens.calibration-part/1";
inline constexpr std::int64_t kMostParts = 1'000'000;

/// One of several parts of a calibration, as the document "epsilens.calibration-part/1": what the
/// run was asked for, and what its blocks came to. Arrays of numbers are little-endian in base64.
struct PartDocument {
    std::int64_t index = 1;  ///< from 1
    std::int64_t parts = 1;  ///< of the run
    std::string version{};   ///< of the program
    std::string sha256{};    ///< of the embedding
    calibration::RunRequest request{};
    std::optional<calibration::SelectionDescription> selection{};
    calibration::RunPart part{};
};

[[nodiscard]] std::string partJson(const PartDocument& document);

/// Reads it strictly. Fails with badFile.
[[nodiscard]] Result<PartDocument> readPart(std::string_view json);
/// The same for a file, which the error names. Fails also as openJson.
[[nodiscard]] Result<PartDocument> openPart(const std::string& path,
                                            const std::stop_token& stop = {});

/// A part and the file that it came from.
struct NamedPart {
    std::string path{};
    PartDocument document{};
};

/// Puts all parts of a run together. Fails with badFile and a file that belongs to another run,
/// holds a part twice or holds not all of it; and with the numbers of parts that are missing.
[[nodiscard]] Result<PartDocument> mergeParts(std::vector<NamedPart> parts);

}  // namespace epsilens::document
