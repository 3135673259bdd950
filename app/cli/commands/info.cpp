#include "app/cli/commands/info.h"

#include <optional>
#include <utility>

#include "app/cli/commands/density.h"
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

/// Nothing when not asked for.
Result<std::optional<report::DensityReport>> densityOf(const InfoArguments& arguments,
                                                       const std::optional<DataOption>& data,
                                                       const engine::SearchSpace& space,
                                                       const CommandContext& context) {
    if (!arguments.density) {
        return std::nullopt;
    }
    const auto words = readData(data, space.embedding().vocabulary(), context);
    if (!words) {
        return tl::unexpected(words.error());
    }
    return computeDensity(space, context).map([&](const TimedProfile& timed) {
        return std::optional(report::describeDensity(timed.profile, space, *words, timed.seconds));
    });
}

}  // namespace

Result<CommandResult> runInfo(const InfoArguments& arguments, const CommandContext& context) {
    const auto data = parseData(arguments.data);
    if (!data) {
        return tl::unexpected(data.error());
    }
    if (*data && !arguments.density) {
        return fail(ErrorCode::invalidArgument, "--data: info uses it with --density only");
    }
    const auto space = openSearchSpace(context);
    if (!space) {
        return tl::unexpected(space.error());
    }
    const auto range = laplaceRange(**space, context);
    if (!range) {
        return tl::unexpected(range.error());
    }
    auto density = densityOf(arguments, *data, **space, context);
    if (!density) {
        return tl::unexpected(density.error());
    }
    report::InfoReport info = report::describeInfo((*space)->embedding(), *range);
    info.density = std::move(*density);
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
