#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/experiment/data_set.h"
#include "core/experiment/split.h"

namespace epsilens::experiment {

/// The documents of a repeat of membership: half of each part was learned from, the other half not.
/// No text is in two of them.
struct FourParts {
    std::vector<std::int64_t> targetIn{};
    std::vector<std::int64_t> targetOut{};
    std::vector<std::int64_t> shadowIn{};
    std::vector<std::int64_t> shadowOut{};
    std::size_t leftOut = 0;  ///< test documents whose text is among the training documents
};

/// The halves of the training and of the test documents by seed and repeat, without test documents
/// whose text is among the training documents.
///
/// split  of the repeat
[[nodiscard]] FourParts fourParts(const DataSet& data, const DocumentSplit& split,
                                  std::uint64_t seed, int repeat);

}  // namespace epsilens::experiment
