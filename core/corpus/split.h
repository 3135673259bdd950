#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/corpus/data_set.h"

namespace epsilens::corpus {

/// Training and test documents of one repeat, each ascending.
struct DocumentSplit {
    std::vector<std::size_t> training{};
    std::vector<std::size_t> test{};
};

inline constexpr double kTrainingShare = 0.7;

/// One split per repeat. Where the data set has a split of its own, that one in every repeat and
/// without the documents that belong to neither part; otherwise kTrainingShare of the documents at
/// random. Documents with the same text stay on the same side.
///
/// Fails with unsupported if a part would be empty or, where classes are needed, the
/// training part had fewer than two.
[[nodiscard]] Result<std::vector<DocumentSplit>> splitDocuments(const DataSet& data, int repeats,
                                                                std::uint64_t seed,
                                                                bool needsClasses = true);

/// Test documents of a split whose text no training document has, in their order.
[[nodiscard]] std::vector<std::size_t> unseenTest(const DataSet& data, const DocumentSplit& split);

/// The documents of a repeat of membership: half of each part was learned from, the other half not.
/// No text is in two of them.
struct FourParts {
    std::vector<std::size_t> targetIn{};
    std::vector<std::size_t> targetOut{};
    std::vector<std::size_t> shadowIn{};
    std::vector<std::size_t> shadowOut{};
    std::size_t leftOut = 0;  ///< test documents whose text is among the training documents
};

/// The halves of the training and of the test documents by seed and repeat, without test documents
/// whose text is among the training documents.
///
/// split  of the repeat
[[nodiscard]] FourParts fourParts(const DataSet& data, const DocumentSplit& split,
                                  std::uint64_t seed, std::uint32_t repeat);

}  // namespace epsilens::corpus
