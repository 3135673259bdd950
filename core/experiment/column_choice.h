#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/experiment/data_set.h"

namespace epsilens::experiment {

/// A column of records, by its place.
struct PlacedColumn {
    std::size_t place = 0;
    Column column{};
};

/// The columns of a data set.
struct ColumnChoice {
    bool hasHeader = false;  ///< the first record holds names
    PlacedColumn text{};
    std::optional<PlacedColumn> label{};
    std::optional<PlacedColumn> author{};
    std::optional<PlacedColumn> split{};

    /// Fields that a record needs to have all of them.
    [[nodiscard]] std::size_t fieldsNeeded() const;
};

/// Chooses the columns of a data set from its first records; see readDataSet.
///
/// records   the first ones, at least one
/// isHeader  whether the first one surely holds names
/// Fails with invalidArgument for a column that is not there.
[[nodiscard]] Result<ColumnChoice> chooseColumns(std::span<const std::vector<std::string>> records,
                                                 bool isHeader, const DataSetOptions& options);

}  // namespace epsilens::experiment
