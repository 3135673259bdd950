#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/commands/mechanism_options.h"

namespace epsilens::cli {

/// Options of `sanitize` as typed; empty where not given.
struct SanitizeArguments {
    MechanismArguments mechanism{};
    std::string textPath = "-";
    std::optional<std::string> unknown{};  ///< mask where not given
    std::optional<std::string> mask{};
    std::optional<std::string> letterCase{};  ///< auto where not given
    std::string stopWordsPath{};
    std::string sidecarPath{};
    std::string encoding{};  ///< UTF-8 where not given
    std::string invalid{};   ///< refuse where not given
    bool withoutGuarantee = false;
};

/// Text in, text out, for release: the randomness is the operating system's, and a seed is refused.
/// Streams, so the result holds no text. An interrupted run leaves whole lines.
[[nodiscard]] Result<CommandResult> runSanitize(const SanitizeArguments& arguments,
                                                const GeneralArguments& general,
                                                const CommandContext& context);

}  // namespace epsilens::cli
