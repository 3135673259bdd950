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
    std::string format{};                     ///< of --data-format
    std::optional<std::string> letterCase{};  ///< auto where not given
};

/// The same, checked.
struct DataOption {
    io::RecordOptions records{};
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< its words are looked up by it
};

/// Nothing when no data set is named. Fails with invalidArgument.
[[nodiscard]] Result<std::optional<DataOption>> parseData(const DataArguments& arguments);

/// Reads the data set and says on the console what it holds; nothing when none is named.
[[nodiscard]] Result<std::optional<text::DataSetWords>> readData(
    const std::optional<DataOption>& data, const embedding::Vocabulary& vocabulary,
    const CommandContext& context);

}  // namespace epsilens::cli
