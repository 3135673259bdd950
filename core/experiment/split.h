#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/experiment/data_set.h"

namespace epsilens::experiment {

/// Training and test documents of one repeat, each ascending.
struct DocumentSplit {
    std::vector<std::int64_t> training{};
    std::vector<std::int64_t> test{};
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

/// The documents whose text none of the others has, in their order.
[[nodiscard]] std::vector<std::int64_t> withoutTextsOf(
    const DataSet& data, const std::vector<std::int64_t>& documents,
    const std::vector<const std::vector<std::int64_t>*>& others);

}  // namespace epsilens::experiment
