#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "core/corpus/data_set.h"

namespace epsilens::corpus {

/// The bytes of a data set, to tell whether it is still the same.
struct DataFingerprint {
    std::uint64_t bytes = 0;  ///< of all its files, as stored
    /// SHA-256 of its file; of a folder or two files, that of a list of their SHA-256 and names,
    /// without the folders above.
    std::string sha256{};

    [[nodiscard]] bool operator==(const DataFingerprint&) const = default;
};

/// Reads all files of a data set. Fails with badFile for one that cannot be read or is no regular
/// file, and with cancelled.
[[nodiscard]] Result<DataFingerprint> fingerprintOf(const DataSetOptions& options,
                                                    const std::stop_token& stop = {});

}  // namespace epsilens::corpus
