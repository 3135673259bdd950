#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "core/text/data_set.h"

namespace epsilens::cli {

/// Options that name a data set, as typed; empty if not given.
struct DataArguments {
    std::string path{};
    std::string column{};
    std::string format{};                     ///< value of --data-format
    std::optional<std::string> letterCase{};  ///< auto if not given
};

/// The same options, checked and converted.
struct DataOption {
    io::RecordOptions records{};
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< for looking up its words
};

/// Nothing if no data set is named. Fails with invalidArgument.
[[nodiscard]] Result<std::optional<DataOption>> parseData(const DataArguments& arguments);

/// Reads the data set and describes it on the console; nothing if none is named.
[[nodiscard]] Result<std::optional<text::DataSetWords>> readData(
    const std::optional<DataOption>& data, const embedding::Vocabulary& vocabulary,
    const CommandContext& context);

}  // namespace epsilens::cli
