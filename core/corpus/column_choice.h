#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/corpus/data_set.h"

namespace epsilens::corpus {

/// The columns of a data set.
struct ColumnChoice {
    bool hasHeader = false;  ///< the first record holds names
    /// Whether that was worked out from the content of the records and may be wrong.
    bool isHeaderGuessed = false;
    /// Why no column was taken for the labels; empty where there is one, or nobody looked.
    std::string noLabels{};
    Column text{};
    std::optional<Column> label{};
    std::optional<Column> author{};
    std::optional<Column> split{};
};

/// The part of a data set that a field names, such as "train", "training" or "dev"; nothing for
/// another word.
[[nodiscard]] std::optional<Split> splitOf(std::string field);

/// Chooses the columns of a data set from its first records; see readDataSet.
///
/// records   the first ones, at least one
/// isHeader  whether the first one surely holds names
/// Fails with invalidArgument for a column that is not there.
[[nodiscard]] Result<ColumnChoice> chooseColumns(std::span<const std::vector<std::string>> records,
                                                 bool isHeader, const DataSetOptions& options);

/// "text: column message (guessed); label: …" for people.
[[nodiscard]] std::string columnsText(const ColumnChoice& columns);

}  // namespace epsilens::corpus
