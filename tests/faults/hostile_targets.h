#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace epsilens::test {

/// A command that works, and the file of it that a run changes.
struct HostileTarget {
    /// "{file}" stands for the changed file, "{out}" for a folder to write to; all other paths are
    /// real.
    std::vector<std::string> arguments{};
    std::string content{};  ///< of the file as it works
    /// What is done to the content after it was changed, such as compressing; may be empty.
    std::function<std::string(const std::string&)> wrap{};
    bool isInput = false;  ///< the content comes on standard input, not from a file
};

/// Every command of epsilens-cli with every kind of file that it reads: embeddings in all formats
/// and compressions, lists of words, pairs, data sets, texts in several encodings, calibrations,
/// parts, reports, sessions and sidecars.
///
/// folder  gets the files that are not changed; must outlive the targets
[[nodiscard]] std::vector<HostileTarget> hostileTargets(const TemporaryFolder& folder);

/// A word that no embedding of the targets holds and that is in all their texts: a release masks
/// it.
inline constexpr const char* kSecretWord = "Zaphodbrox";

}  // namespace epsilens::test
