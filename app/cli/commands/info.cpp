#include "app/cli/commands/info.h"

#include <optional>

#include "app/cli/commands/mechanism_options.h"
#include "core/engine/epsilon_range.h"
#include "core/report/info_report.h"

namespace epsilens::cli {
namespace {

/// Nothing where the mechanism cannot run on these vectors.
Result<std::optional<engine::EpsilonRange>> laplaceRange(const engine::SearchSpace& space,
                                                         const CommandContext& context) {
    calibration::CalibrationOptions options;
    options.seed = context.general.seed;
    options.threads = context.general.threads;
    const auto range = epsilonRange(space, options, context);
    if (!range && range.error().code == ErrorCode::cancelled) {
        return tl::unexpected(range.error());
    }
    if (!range) {
        context.console.note(range.error().message);
        return std::nullopt;
    }
    return std::optional(*range);
}

}  // namespace

Result<CommandResult> runInfo(const CommandContext& context) {
    const auto space = openSearchSpace(context);
    if (!space) {
        return tl::unexpected(space.error());
    }
    const auto range = laplaceRange(**space, context);
    if (!range) {
        return tl::unexpected(range.error());
    }
    const report::InfoReport info = report::describeInfo((*space)->embedding(), *range);
    switch (context.general.format) {
        case OutputFormat::json:
            return CommandResult{report::infoJson(info)};
        case OutputFormat::csv:
            return CommandResult{report::infoCsv(info)};
        case OutputFormat::text:
            break;
    }
    return CommandResult{report::infoText(info)};
}

}  // namespace epsilens::cli
