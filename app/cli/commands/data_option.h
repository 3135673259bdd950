#pragma once

#include <optional>

#include "app/cli/commands/command.h"
#include "core/text/data_set.h"

namespace epsilens::cli {

/// A data set, as the options name it.
struct DataOption {
    io::RecordOptions records{};  ///< the path is empty if none is named
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< for looking up its words
};

/// Reads the data set and describes it on the console; nothing if none is named.
[[nodiscard]] Result<std::optional<text::DataSetWords>> readData(
    const DataOption& data, const embedding::Vocabulary& vocabulary, const CommandContext& context);

}  // namespace epsilens::cli
