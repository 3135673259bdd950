#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "app/cli/console.h"
#include "app/cli/general_options.h"
#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/search_space.h"

namespace epsilens::cli {

/// What a command runs in.
struct CommandContext {
    const GeneralOptions& general;
    Console& console;
    std::stop_token stop{};
};

/// What a command hands back for the output.
struct CommandResult {
    std::string text{};
    bool interrupted = false;        ///< the text holds what was done until then
    std::optional<Error> problem{};  ///< what the text could not achieve; sets the exit code
    bool isWritten = false;          ///< the command wrote its output itself, bit by bit
};

/// Opens the embedding of the command line, warns of rows left out and arranges it for searching.
[[nodiscard]] Result<engine::SearchSpaceHandle> openSearchSpace(const CommandContext& context);

/// Fails with resourceLimit when work would take more than an hour and --yes was not given.
[[nodiscard]] Result<void> refuseLongWork(double seconds, const CommandContext& context);

}  // namespace epsilens::cli
