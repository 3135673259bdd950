#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "core/text/data_set.h"

namespace epsilens::cli {

/// Options that name a data set, as typed; empty where not given.
struct DataArguments {
    std::string path{};
    std::string column{};
    std::string format{};  ///< of --data-format
};

/// The same, checked; nothing when no data set is named. Fails with invalidArgument.
[[nodiscard]] Result<std::optional<text::RecordOptions>> parseData(const DataArguments& arguments);

/// Reads the data set and says on the console what it holds; nothing when none is named.
[[nodiscard]] Result<std::optional<text::DataSetWords>> readData(
    const std::optional<text::RecordOptions>& options, const embedding::Vocabulary& vocabulary,
    const CommandContext& context);

}  // namespace epsilens::cli
