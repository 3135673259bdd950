#pragma once

#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"
#include "core/io/text_decoder.h"
#include "core/release/policies.h"
#include "core/release/table_text.h"

namespace epsilens::cli {

/// Options of `sanitize`.
struct SanitizeOptions {
    mechanism::Grid grid = gridToFill();  ///< one value of each parameter
    std::string textPath = "-";
    io::TextDecoding decoding{};
    release::ReleasePolicies policies{};  ///< without the stop words
    std::string stopWordsPath{};          ///< empty: none
    release::TableOptions table{};        ///< no columns: the text is no table
    std::string sidecarPath{};            ///< empty: none is written
    std::string listPath{};               ///< of many texts; empty: there is one
    bool isResumed = false;               ///< the list: its record counts
};

void addSanitize(TypedOptions& options, GeneralOptions& general, SanitizeOptions& sanitize);

/// Text in, text out, for release: the randomness is the operating system's, and a seed is refused.
/// Streams, so the result holds no text. An interrupted run leaves whole lines, but of a list only
/// whole texts.
[[nodiscard]] Result<CommandResult> runSanitize(const SanitizeOptions& options,
                                                const CommandContext& context);

}  // namespace epsilens::cli
